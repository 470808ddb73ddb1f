"""
title: interpolate by a factor that leaves one element
description: >
  Six samples shrunk by 0.3 leave one, and an output of size 1 in the example is taken for a
  constant. The guard that says so holds for lengths 4 to 6 only. Computing the size in integers,
  from an example that leaves two or more, keeps it symbolic.
tags: [torch.dynamic-shape, torch.zero-one, torch.specialization]
rewrites: [dynamic_shapes/interpolate_to_size_in_integers]
narrower: {dynamic_shapes/interpolate_to_size_in_integers: lengths below 7}
pitfalls: [dynamic_shapes/interpolate_to_int_of_half]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return (
            torch.nn.functional.interpolate(x, scale_factor=0.3, recompute_scale_factor=True)
            * x.shape[2]
        )


dynamic_shapes = {"x": {2: Dim("n", min=4, max=32)}}


def inputs(n=6):
    return torch.randn(1, 2, n)
