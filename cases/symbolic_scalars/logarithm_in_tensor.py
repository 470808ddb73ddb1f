"""
title: Logarithm of a size in a tensor
description: >
  The size becomes a tensor of no dimensions, and torch.log is an operator of the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.full((), x.shape[0], dtype=torch.float32).log()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
