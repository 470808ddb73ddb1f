"""
title: Weight whose tensor subclass wraps a tensor of the same subclass
description: >
  A scaled weight is scaled once more, as a sharded weight may hold a quantized one. A capture has
  to take off both layers and keep the one plain tensor with both factors.
tags: [torch.subclass, torch.parameter]
requires: [values]
allow:
  L059: a weight of a class of its own cannot be compared on the meta device
"""

import torch
from torch.utils._pytree import tree_map_only


class Scaled(torch.Tensor):
    @staticmethod
    def __new__(cls, inner, factor):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner, factor):
        self.inner, self.factor = inner, factor

    def __tensor_flatten__(self):
        return ["inner"], self.factor

    @classmethod
    def __tensor_unflatten__(cls, tensors, factor, size, stride):
        return cls(tensors["inner"], factor)

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func in (torch.ops.aten.detach.default, torch.ops.aten.clone.default):
            return cls(func(args[0].inner), args[0].factor)
        args = tree_map_only(cls, lambda t: t.inner * t.factor, args)
        return func(*args, **(kwargs or {}))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = Scaled(Scaled(torch.linspace(-1, 1, 12).view(4, 3), 3.0), 0.5)
        self.weight = torch.nn.Parameter(weight, requires_grad=False)

    def forward(self, x):
        return x @ self.weight


def inputs():
    return torch.randn(5, 4)
