"""
title: deque and defaultdict returned
description: >
  Both are containers that torch can take apart. What comes back has to be a deque with the same
  maxlen and a defaultdict with the same default again.
tags: [python.data-structure]
"""

from collections import defaultdict, deque

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        last = deque([x.sin(), x.cos()], maxlen=3)
        by_name = defaultdict(list, {"sum": x.sum(), "most": x.amax()})
        return last, by_name


def inputs():
    return (torch.randn(4),)
