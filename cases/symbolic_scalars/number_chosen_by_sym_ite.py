"""
title: Choice between two numbers by sym_ite
description: >
  torch.sym_ite takes the comparison and both numbers, and the choice is made in the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.sym_ite(x.shape[0] > 4, 2.0, 0.5)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
