"""
title: Rows sliced up to x.numel() in place of x.shape[0]
description: >
  There are more elements than rows, so the slice ends at the last row. Tracing assumes that as an
  inequality with a fraction, and fails to write it into the message of the refusal.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.specialization]
rewrites: [symbolic_scalars/slice_without_an_end]
narrower: {symbolic_scalars/slice_without_an_end: fewer than five rows}
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
