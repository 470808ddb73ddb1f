"""
title: list() of itertools.groupby before its groups are read
description: >
  A list is made of the pairs of key and group before the groups are read. In Python they share
  one iterator, so each of them is empty by then. TorchDynamo keeps the elements of each group,
  and the sum has them.
advice: >
  Export with strict=False, which leaves the iteration to Python, or read each group before the
  next one is made.
tags: [python.control-flow]
"""

import itertools

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        for _, group in list(itertools.groupby([1, 1, 2])):
            x = x + sum(group)
        return x


def inputs():
    return torch.randn(3, 4)
