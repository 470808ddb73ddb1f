"""
title: round(n, -1) of a dynamic size
description: >
  round(n, -1) rounds to tens, half to even: 6 becomes 10 and 25 becomes 20. A symbolic size
  answers round() with itself whatever the digits are, so nothing is rounded. The rewrite rounds a
  tenth of the size.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/round_of_tenth]
references: [pytorch#198064]
errors: [E1202]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x / round(x.shape[0], -1)


dynamic_shapes = {"x": {0: Dim("n", min=6, max=64)}}


def inputs(n=7):
    return torch.randn(n, 4)
