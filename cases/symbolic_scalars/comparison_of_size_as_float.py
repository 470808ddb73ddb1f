"""
title: float of a comparison of sizes
description: >
  float() wants a number, and a comparison of symbolic sizes is none while tracing.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/comparison_of_size_as_factor]
errors: [E0130]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * float(x.shape[0] > 4)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
