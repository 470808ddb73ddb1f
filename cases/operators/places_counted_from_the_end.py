"""
title: Negative dims and indices, and arange with a negative step
description: >
  A negative dim or index counts from the end, for unsqueeze from the end of the result. arange
  with a negative step goes down and stops before its end; linspace with one step is its start.
tags: [torch.sweep, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, places):
        axes = x.unsqueeze(-1), x.unsqueeze(-2), x.movedim(-1, 0), x.squeeze(-2).flatten(-2, -1)
        taken = x.take(places), x.select(-1, -2), x.narrow(-1, -3, 2), x[..., -1:], x[-1]
        down = torch.arange(9, 0, -2), torch.arange(7, -8, -5), torch.arange(0.5, -0.5, -0.25)
        return axes, taken, down, torch.linspace(2, 5, 1) * x.sum(), torch.linspace(5, 2, 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}, "places": None}


def inputs(n=6):
    return torch.randn(n, 3, 4), torch.tensor([-1, 2, -7, 0])
