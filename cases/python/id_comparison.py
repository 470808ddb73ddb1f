"""
title: Comparing id() of two inputs
description: >
  Another spelling of `x is y`: id() is read while tracing, of the tensors of the example or their
  stand-ins, and the answer becomes a constant.
advice: >
  Export once for each answer, or give the answer as a flag: a graph has its inputs by position,
  and no identity.
tags: [python.builtin, torch.aliasing, torch.specialization]
pitfalls: [python/same_object]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        if id(x) == id(y):
            return x * 3
        else:
            return x + y


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    x = torch.randn(3, 4)
    yield x, x
