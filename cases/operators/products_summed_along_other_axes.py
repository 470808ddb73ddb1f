"""
title: Sums of elementwise products, which may be a matrix product and may not
description: >
  The sum over the last dimension of a broadcast product is a matrix product; over another
  dimension it is one of transposed matrices or none. Products of small integers wrap before they
  are added.
tags: [torch.sweep, torch.decomposition, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, levels):
        pairs = x[:, None] * y
        tables = pairs.sum(-1), pairs.sum(0), pairs.sum(1), pairs.sum((0, 2))
        inner = (x * x.flip(1)).sum(1), (x * y[0]).sum(0), (x[:, :, None] * x[:, None]).sum(0)
        means = pairs.mean(-1), (x * y[0]).amax(-1), (x[..., None] * y.mT).sum(1)
        small = (levels * levels).sum(1), (levels * levels).sum(1, dtype=torch.uint8)
        return tables, inner, means, small


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": None, "levels": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(3, 4), torch.randint(256, (n, 4), dtype=torch.uint8)
