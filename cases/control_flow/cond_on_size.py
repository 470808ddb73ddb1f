"""
title: torch.cond with a size comparison as predicate
description: >
  The predicate compares a dynamic size, so it is a symbolic bool and no tensor. torch.cond keeps
  both branches; a Python if in its place would keep one, and limit the size to that branch.
tags: [torch.cond, torch.dynamic-shape]
references: [pytorch#98515]
errors: [E0406]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def centred(rows):
            return rows - rows.mean(0)

        def damped(rows):
            return rows * 0.25

        return torch.cond(x.shape[0] >= 6, centred, damped, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=3):
    return torch.randn(n, 7)
