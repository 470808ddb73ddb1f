"""
title: Residual sum that is normalised and goes on without the norm (pre-norm block)
description: >
  The sum of input and branch has two users, the norm and the next sum. An operator that adds and
  normalises at once must give both, and must not give the normalised one to the residual.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.last = torch.nn.LayerNorm(6, eps=0.1), torch.nn.LayerNorm(6)
        torch.nn.init.uniform_(self.norm.weight, 1, 2)
        torch.nn.init.uniform_(self.norm.bias)
        self.layer = torch.nn.Linear(6, 6)

    def forward(self, x, branch):
        total = x + branch
        total = total + self.layer(self.norm(total))
        return self.last(total + x) + branch, total


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {1: n}, "branch": {1: n}}


def inputs(n=5):
    return torch.randn(2, n, 6), torch.randn(2, n, 6)
