"""
title: torch.take_along_dim where the other size varies
description: >
  take_along_dim broadcasts the two tensors before it gathers, and asks for their sizes as plain
  numbers: a size that varies becomes that of the example, for everything that comes after too.
  gather needs index and tensor of the same number of rows and asks nothing.
tags: [torch.scatter, torch.dynamic-shape, torch.specialization]
rewrites: [operators/values_gathered_along_dimension]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        order = x.argsort(dim=1, stable=True)
        ranked = torch.take_along_dim(x, order, 1)
        return ranked + torch.arange(x.shape[0])[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
