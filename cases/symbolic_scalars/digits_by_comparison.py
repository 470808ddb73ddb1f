"""
title: Number of digits of a size by torch.sym_ite
description: >
  Below 100 a number has two digits from 10 on and one digit otherwise: torch.sym_ite makes that
  choice in the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.sym_ite(x.shape[0] >= 10, 2, 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
