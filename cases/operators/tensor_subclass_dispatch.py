"""
title: Tensor subclass with __torch_dispatch__ made in forward
description: >
  The subclass holds a tensor and a factor, and multiplies by it once it is unwrapped. Operators
  on it arrive in Python below autograd. A tracer must look through the wrapper to the tensor
  inside.
tags: [torch.subclass, torch.dynamic-shape]
rewrites: [operators/factor_applied_by_function]
"""

import torch
from torch.export import Dim
from torch.utils._pytree import tree_map


class Scaled(torch.Tensor):
    @staticmethod
    def __new__(cls, inner, factor):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype)

    def __init__(self, inner, factor):
        self.inner, self.factor = inner, factor

    def plain(self):
        return self.inner * self.factor

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        def unwrap(value):
            return value.plain() if isinstance(value, cls) else value

        return func(*tree_map(unwrap, args), **tree_map(unwrap, kwargs or {}))


class Model(torch.nn.Module):
    def forward(self, x):
        return Scaled(x, 3.0) + x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
