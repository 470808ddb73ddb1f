"""
title: n % float("inf") of a dynamic size
description: >
  A finite number is its own remainder by infinity, as by a limit that was switched off. The
  arithmetic of symbols gives zero. The rewrite leaves the remainder out.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/remainder_left_out]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x.shape[0] % float("inf")


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
