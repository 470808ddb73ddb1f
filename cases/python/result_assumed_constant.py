"""
title: Helper whose result is assumed constant
description: >
  torch.compiler.assume_constant_result promises that a function gives the same each time, so that
  TorchDynamo calls it once and keeps the answer. The promise is kept here: what the table says of
  a name never changes.
tags: [python.builtin, torch.specialization]
"""

import torch
from torch.export import Dim


@torch.compiler.assume_constant_result
def factor_of(name):
    return {"low": 2, "high": 5}[name]


class Model(torch.nn.Module):
    def forward(self, x):
        return x * factor_of("high") + x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 3)
