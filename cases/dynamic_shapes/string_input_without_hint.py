"""
title: None in dynamic_shapes for a string input
description: >
  None says that nothing about the input varies. The string of the example is a constant of the
  capture, which has to refuse another.
tags: [torch.scalar-input, torch.specialization, torch.dim-hint]
dims: {n: {min: 3, max: 16}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mode: str):
        return torch.nn.functional.pad(x, (2, 2), mode=mode) * x.shape[1]


dynamic_shapes = {"x": {1: Dim.AUTO}, "mode": None}


def inputs(n=5):
    return torch.randn(4, n), "reflect"


def rejects():
    yield torch.randn(4, 5), "circular"
