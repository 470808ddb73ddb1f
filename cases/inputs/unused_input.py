"""
title: Input that forward does not use
description: >
  One of the inputs has no influence on the result. A capture must still take it, and a caller who
  gives it must get the same answer.
tags: [python.kwargs]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, ignored, y):
        return x - y


def inputs():
    return torch.randn(3, 4), torch.randn(2), torch.randn(3, 4)
