"""
title: A slice that ends at the number of elements
description: >
  The end of the slice is beyond the rows and is cut to them. What tracing assumes for that is an
  inequality with a fraction, and writing it into the message of the refusal fails.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.specialization]
rewrites: [symbolic_scalars/slice_without_an_end]
narrower: {symbolic_scalars/slice_without_an_end: fewer than seven rows}
references: [pytorch#121286]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[3 : x.numel()] * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
