"""
title: torch.sym_ite of a comparison of a dynamic size with an int
description: >
  The size is compared with an integer, and torch.sym_ite chooses what is added, so that both
  sides stay in the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + torch.sym_ite(x.shape[0] == 3, 1, -1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
