"""
title: Size rounded up to a power of two by comparisons
description: >
  Each power below the size adds itself once more: torch.sym_ite makes every one of these
  choices in the graph.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        whole = 2 + sum(torch.sym_ite(n > power, power, 0) for power in (2, 4, 8))
        return F.pad(x, (0, whole - n))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
