"""
title: Python if on a size marked Dim.AUTO
description: >
  Dim.AUTO lets tracing choose the range: the condition of the branch narrows it without an error,
  and sizes of the other branch are refused when the program runs. Look at the range that comes
  out.
tags: [python.control-flow, torch.dim-hint, torch.guard]
rewrites: [dynamic_shapes/branch_on_size_cond]
references: [pytorch#140011, pytorch#151094]
dims: {n: {min: 2, max: 32}}
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 4:
            return x + 1
        return x * 100


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=7):
    return torch.randn(n)
