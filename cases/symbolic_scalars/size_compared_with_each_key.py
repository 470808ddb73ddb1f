"""
title: torch.sym_ite for each key in place of a dict lookup
description: >
  The size is compared with each key by torch.sym_ite, so the choice is made in the graph and not
  while tracing.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * torch.sym_ite(n == 4, 0.5, 1.0) * torch.sym_ite(n == 8, 0.25, 1.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
