"""
title: A factor chosen by a comparison of a size with torch.sym_ite
description: >
  The comparison stays part of the graph, and no object is asked for its identity.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * torch.sym_ite(x.shape[0] > 6, 2, 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
