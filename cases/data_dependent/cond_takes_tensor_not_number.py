"""
title: Branch of torch.cond that takes a tensor in place of a number from it
description: >
  The tensor is an operand of the cond and takes part in arithmetic as it is, so no number has to
  be read and carried into the branches. The size of the other input is closed over as before.
tags: [torch.cond, torch.dynamic-shape, python.closure]
requires: [values]
dims: {n: {min: 2, max: 12}, k: {min: 0, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, k):
        length = y.shape[0]
        return torch.cond(
            x.sum() > 0,
            lambda x, k: x * length + k,
            lambda x, k: x - k,
            (x, k),
        )


dynamic_shapes = {"x": None, "y": {0: Dim.DYNAMIC}, "k": None}


def inputs(n=5, k=7):
    return torch.tensor([2.0, 1.0, -0.5]), torch.randn(n), torch.tensor(k)


def accepts():
    yield torch.tensor([-2.0, 1.0, 0.5]), torch.randn(8), torch.tensor(3)
    yield torch.tensor([2.0, 1.0, 0.5]), torch.randn(8), torch.tensor(3)
