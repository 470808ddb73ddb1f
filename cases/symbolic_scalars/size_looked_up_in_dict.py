"""
title: Dict lookup with a dynamic size as key
description: >
  A symbolic size has no hash, since its value is not known while tracing, so a dict cannot look
  it up. The rewrite compares the size with each key.
tags: [torch.sym-scalar, torch.dynamic-shape, python.data-structure]
rewrites: [symbolic_scalars/size_compared_with_each_key]
errors: [E0109]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        factor = {4: 0.5, 8: 0.25}.get(x.shape[0], 1.0)
        return x * factor


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
