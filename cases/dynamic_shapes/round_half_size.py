"""
title: round() of half a dynamic size
description: >
  round() of a symbolic float gives a symbolic int, with Python's rule that halves go to the even
  neighbour. The expression has to reproduce that for every size. Integer arithmetic says the same
  without floats.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [dynamic_shapes/round_half_size_integers]
errors: [E0504, E0706, E1001]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(round(x.shape[0] / 2))


dynamic_shapes = {"x": {0: Dim("n", min=3, max=32)}}


def inputs(n=7):
    return torch.randn(n)
