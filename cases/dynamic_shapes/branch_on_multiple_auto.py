"""
title: Branch on whether a size is a multiple of three, with Dim.AUTO
description: >
  With Dim.AUTO the guard on the remainder contradicts nothing, so nothing is reported. Only the
  lengths that three divides are served; the others lie inside any range that is printed and are
  refused when they come.
tags: [python.control-flow, torch.dim-hint, torch.guard]
dims: {n: {min: 4, max: 48}}
rewrites: [dynamic_shapes/branch_on_multiple_cond]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] % 3 == 0:
            return x * 2
        return x - 1


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=12):
    return torch.randn(n)
