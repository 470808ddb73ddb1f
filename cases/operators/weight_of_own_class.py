"""
title: Weight that is a tensor subclass of int8 values and a scale
description: >
  As in weight-only quantization, the parameter is a wrapper around two tensors and turns into a
  float tensor when an operator asks for it. A capture must hold the two tensors and the product,
  not the wrapper.
tags: [torch.subclass, torch.quantized, torch.parameter]
requires: [values]
allow:
  L059: a weight of a class of its own cannot be compared on the meta device
"""

import torch
from torch.utils._pytree import tree_map_only


class Int8(torch.Tensor):
    @staticmethod
    def __new__(cls, values, scale):
        return torch.Tensor._make_wrapper_subclass(cls, values.shape, dtype=scale.dtype)

    def __init__(self, values, scale):
        self.values_, self.scale_ = values, scale

    def __tensor_flatten__(self):
        return ["values_", "scale_"], None

    @classmethod
    def __tensor_unflatten__(cls, tensors, context, size, stride):
        return cls(tensors["values_"], tensors["scale_"])

    @classmethod
    def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
        if func in (torch.ops.aten.detach.default, torch.ops.aten.clone.default):
            return cls(args[0].values_.clone(), args[0].scale_.clone())
        args = tree_map_only(cls, lambda t: t.values_.to(t.scale_.dtype) * t.scale_, args)
        return func(*args, **(kwargs or {}))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = Int8(torch.randint(-128, 128, (4, 3), dtype=torch.int8), torch.rand(3) + 0.5)
        self.weight = torch.nn.Parameter(weight, requires_grad=False)

    def forward(self, x):
        return x @ self.weight


def inputs():
    return torch.randn(5, 4)
