"""
title: round() of a dynamic size to whole tens
description: >
  round() with a negative number of digits gives a multiple of ten. A torch.SymInt takes the digits
  and gives back itself, so the sum is divided by the size as it is, without a guard or a warning.
  The rewrite says the same in whole numbers.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/size_rounded_to_tens_by_division]
references: [pytorch#198064]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / round(x.shape[0], -1)


dynamic_shapes = {"x": {0: Dim("n", min=6, max=64)}}


def inputs(n=13):
    return torch.randn(n, 3)
