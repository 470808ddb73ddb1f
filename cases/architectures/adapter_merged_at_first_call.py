"""
title: Low-rank adapter merged into the weight at the first call
description: >
  forward adds the product of the small matrices to the weight once, and a flag of Python keeps it
  from doing so again. A capture sees the flag of the moment: if the merge is in the graph, every
  call merges. The rewrite merges before, in __init__.
tags: [torch.module, torch.mutation, torch.parameter, python.attribute]
rewrites: [architectures/adapter_merged_before]
pitfalls: [control_flow/branch_on_value]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.eye(4)[:, :3].clone())
        self.down, self.up = torch.full((2, 3), 0.5), torch.full((4, 2), 0.25)
        self.merged = False

    def forward(self, x):
        if not self.merged:
            self.weight.add_(self.up @ self.down)
            self.merged = True
        return x @ self.weight.T


def inputs():
    return torch.randn(5, 3)
