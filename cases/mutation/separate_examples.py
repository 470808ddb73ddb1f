"""
title: Example with two tensors for two inputs
description: >
  The two inputs of the example share nothing, as those of later calls do. What was captured holds
  for tensors that are apart, and for one that is given twice as well.
tags: [torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x * 2 + y


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    x = torch.randn(3, 4)
    yield x, x
