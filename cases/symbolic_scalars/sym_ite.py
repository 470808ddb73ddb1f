"""
title: torch.sym_ite, a choice between two symbolic ints
description: >
  torch.sym_ite(condition, a, b) keeps the choice in the graph as an expression, where Python's
  conditional expression would settle it while tracing.
tags: [torch.sym-scalar, torch.dynamic-shape]
errors: [E0504]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * torch.sym_ite(n > 8, n, 3 * n)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
