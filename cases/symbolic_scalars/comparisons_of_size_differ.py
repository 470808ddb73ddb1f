"""
title: '!= of two comparisons of a dynamic size'
description: >
  Two bools are compared with !=, which is their exclusive or. For symbols the difference of both
  is taken, and bools have none.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/comparisons_of_size_by_sym_ite]
references: [pytorch#124110]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * ((x.shape[0] > 4) != (x.shape[0] > 3))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
