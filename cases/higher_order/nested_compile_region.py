"""
title: nested_compile_region for a block that is repeated
description: >
  The decorated block is compiled once and called for every layer. In a graph it is a subgraph
  that two calls share; the calls have weights of their own.
tags: [torch.operator, python.decorator, torch.module]
"""

import torch
from torch.export import Dim


@torch.compiler.nested_compile_region
def block(x, weight):
    return torch.tanh(x @ weight) + x


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Parameter(torch.randn(3, 3))
        self.second = torch.nn.Parameter(torch.randn(3, 3))

    def forward(self, x):
        return block(block(x, self.first), self.second)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
