"""
title: torch.gcd in place of math.gcd
description: >
  Both numbers are tensors of no dimensions, and torch.gcd is an operator of the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.gcd(torch.full((), x.shape[0]), torch.full((), 12))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
