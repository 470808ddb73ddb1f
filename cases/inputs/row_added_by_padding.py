"""
title: Row of ones added by padding
description: >
  pad takes the dtype of what it pads, in the graph as well as in eager, so the program reads no
  dtype itself.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.pad(x, (0, 0, 0, 1), value=1)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.randn(3, 4, dtype=torch.float64),)
    yield (torch.ones(3, 4, dtype=torch.int64),)
