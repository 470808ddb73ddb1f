"""
title: Dim.AUTO on a size that tracing turns into a constant
description: >
  A Python loop over the size runs as often as in the example, so the size becomes a constant.
  Dim.AUTO allows that silently; other sizes are refused only when the program runs. Write the
  loop as one operation on the whole tensor.
tags: [torch.dim-hint, torch.specialization, python.control-flow]
references: [pytorch#140011, pytorch#151094]
dims: {n: {min: 2, max: 16}}
rewrites: [dynamic_shapes/loop_over_size_vectorized]
errors: [E0104, E0813]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        total, sums = torch.zeros(3), []
        for i in range(x.shape[0]):
            total = total + x[i]
            sums.append(total)
        return torch.stack(sums)


dynamic_shapes = {"x": {0: Dim.AUTO}}


def inputs(n=5):
    return torch.randn(n, 3)
