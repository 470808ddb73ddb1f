"""
title: Submodule compiled with torch.jit.script
description: >
  A part of the model is a ScriptModule, with a branch on a size that TorchScript keeps. A tracer
  sees the operators it calls at most, or nothing of it at all.
tags: [torch.module, python.control-flow, torch.dynamic-shape]
rewrites: [modules/unscripted_submodule]
pitfalls: [dynamic_shapes/branch_on_size]
errors: [E0208, E0615]
"""

import torch
from torch.export import Dim


class Block(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 8:
            return x * 2
        return x + 1


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = torch.jit.script(Block())

    def forward(self, x):
        return self.block(x).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=12)}}


def inputs(n=5):
    return torch.randn(n, 3)
