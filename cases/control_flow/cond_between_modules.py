"""
title: torch.cond between two submodules
description: >
  The branches are modules with parameters of their own, one of them two levels deep. All of these
  parameters are operands of the cond, whichever branch runs.
tags: [torch.cond, torch.module, torch.parameter]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.small = torch.nn.Linear(3, 4)
        self.large = torch.nn.Sequential(torch.nn.Linear(3, 7), torch.nn.Linear(7, 4))

    def forward(self, x):
        return torch.cond(x.abs().mean() > 1, self.large, self.small, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.rand(n, 3) + 2


def accepts():
    yield torch.rand(5, 3) / 2
    yield torch.rand(6, 3) / 2
