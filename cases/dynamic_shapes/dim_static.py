"""
title: Dim.STATIC beside a dynamic size
description: >
  Dim.STATIC says that a size is a constant on purpose, here the one that a parameter fixes. The
  other size stays dynamic.
tags: [torch.dim-hint, torch.specialization]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = torch.nn.Parameter(torch.arange(8.0))

    def forward(self, x):
        return x + self.bias


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=16), 1: Dim.STATIC}}


def inputs(batch=3):
    return torch.randn(batch, 8)


def rejects():
    yield torch.randn(3, 7)
