"""
title: Operator kept whole by a table without it (run_decompositions)
description: >
  The default table takes linear apart into permute and addmm. The program removes linear from the
  table, so the decomposed block keeps it for a backend that has a kernel, while layer_norm and
  everything else is decomposed. A later capture begins with what was kept; values do not tell, so
  look at the graph.
tags: [torch.decomposition, torch.dynamic-shape, torch.module]
references: [pytorch#135098]
"""

import torch
from torch.export import Dim, default_decompositions, export


class Block(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(3)
        self.up = torch.nn.Linear(3, 6)

    def forward(self, x):
        return self.up(self.norm(x)).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        table = default_decompositions()
        del table[torch.ops.aten.linear.default]
        program = export(Block(), (torch.randn(7, 3),), dynamic_shapes=dynamic_shapes)
        self.block = program.run_decompositions(table).module()

    def forward(self, x):
        return self.block(x).sum(0)


def inputs(n=5):
    return (torch.randn(n, 3),)
