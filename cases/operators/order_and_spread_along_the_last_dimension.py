"""
title: Quantiles, order and spread along a dimension counted from the end
description: >
  Each reduces the last dimension, or several at once, named by negative numbers; without one the
  whole tensor is reduced. The dimension that is kept tells which of them was.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        ordered = x.kthvalue(2, -1), x.mode(-2), x.nanmedian(-2), x.min(-2), x.aminmax(dim=-1)
        quantiles = x.quantile(0.3, -1, keepdim=True), x.nanquantile(0.6, -2), x.aminmax()
        counted = (x > 0).count_nonzero(-1), (x > -1).all(-1), (x > 2).any((-1, -2))
        several = x.nanmean((0, -1)), x.nansum((-2, 0)), x.amin((0, -1), keepdim=True)
        spread = torch.std_mean(x, (0, -1)), torch.var_mean(x, (-2, 0), correction=0)
        lengths = x.norm(1.5, (0, 2), keepdim=True), torch.linalg.vector_norm(x, 3, (0, -1))
        return ordered, quantiles, counted, several, spread, lengths, torch.std_mean(x)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3, 4),)
