"""
title: (-1) ** n of a dynamic size
description: >
  (-1) ** n is 1 for an even size and -1 for an odd one. The code that runs a graph writes the
  negative number without its parentheses, and -1 ** n is -(1 ** n): the sign is wrong at every
  even size, the example's too. The rewrite takes the sign from the remainder.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/sign_by_remainder]
references: [pytorch#197894]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (-1) ** x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 4)
