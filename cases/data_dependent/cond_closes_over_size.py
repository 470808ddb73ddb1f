"""
title: Branch of torch.cond that uses a size from outside
description: >
  The branches take x alone, and read from the enclosing function a number that came from a tensor
  and the length of another input. Both are symbols of the surrounding graph.
tags: [torch.cond, torch.unbacked-symbol, torch.dynamic-shape, python.closure]
requires: [values]
rewrites: [data_dependent/cond_takes_tensor_not_number]
pitfalls: [control_flow/cond_int_operand]
errors: [E0017]
dims: {n: {min: 2, max: 12}, k: {min: 0, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, k):
        length, number = y.shape[0], k.item()
        return torch.cond(
            x.sum() > 0,
            lambda x: x * length + number,
            lambda x: x - number,
            (x,),
        )


dynamic_shapes = {"x": None, "y": {0: Dim.DYNAMIC}, "k": None}


def inputs(n=5, k=7):
    return torch.tensor([2.0, 1.0, -0.5]), torch.randn(n), torch.tensor(k)


def accepts():
    yield torch.tensor([-2.0, 1.0, 0.5]), torch.randn(8), torch.tensor(3)
    yield torch.tensor([2.0, 1.0, 0.5]), torch.randn(8), torch.tensor(3)
