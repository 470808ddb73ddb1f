"""
title: Wrapper that passes unknown attributes on with __getattr__
description: >
  __getattr__ of the wrapper answers for the attributes of the module inside, as wrappers for
  adapters do, and a property computes another one. forward reads both as if they were its own.
tags: [torch.module, python.attribute]
"""

import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([2.0, -3.0, 5.0, 7.0]))
        self.offset = 0.5


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Scale()

    def __getattr__(self, name):
        try:
            return super().__getattr__(name)
        except AttributeError:
            return getattr(super().__getattr__("inner"), name)

    @property
    def largest(self):
        return self.weight.abs().amax()

    def forward(self, x):
        return x * self.weight / self.largest + self.offset


def inputs():
    return (torch.randn(3, 4),)
