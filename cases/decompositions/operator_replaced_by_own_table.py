"""
title: Operator replaced by a decomposition of your own (run_decompositions with a table)
description: >
  The default table keeps silu as an operator. The program takes the table, adds a function for
  silu, decomposes an exported block with it and uses the result as a submodule. The function sees
  symbolic sizes like any other program, and what it computes is what every later capture holds.
tags: [torch.decomposition, torch.dynamic-shape, torch.module]
"""

import torch
from torch.export import Dim, default_decompositions, export


class Block(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.silu(x - x.mean(0))


def silu_by_tanh(x):
    return x * (1 + (x / 2).tanh()) / 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        table = default_decompositions()
        table[torch.ops.aten.silu.default] = silu_by_tanh
        program = export(Block(), (torch.randn(7, 3),), dynamic_shapes=dynamic_shapes)
        self.block = program.run_decompositions(table).module()

    def forward(self, x):
        return self.block(x) + x


def inputs(n=5):
    return (torch.randn(n, 3),)
