"""
title: diagonal, diff, trapezoid, cdist and quantile along other dimensions
description: >
  A diagonal may lie between any two dimensions and off the centre, diff can prepend and append,
  trapezoid has a spacing, distances have an exponent and quantiles an interpolation. None of
  these arguments is at its default.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        lines = (
            x.diagonal(1, 0, 2),
            torch.diag_embed(x, -1, 0, 2),
            x.tril(1),
            x.triu(-1),
            x[0].triu(2),
        )
        steps = x.diff(n=2, dim=1), x.diff(dim=1, prepend=x[:, :1] * 2, append=x[:, -1:] + 3)
        area = torch.trapezoid(x, dx=0.5, dim=1), torch.cumulative_trapezoid(x, dx=2.0, dim=1)
        far = torch.cdist(x, x + 1, p=1.0), F.pairwise_distance(x, x.roll(1, 1), p=3, eps=0.1)
        like = F.cosine_similarity(x, x.flip(1), dim=0, eps=2.0), x.renorm(1, 0, 1.5)
        chosen = [
            x.quantile(0.4, 1, interpolation=way)
            for way in ("lower", "higher", "nearest", "midpoint")
        ]
        turned = x.roll((1, -1), (0, 2)), x.rot90(3, (1, 2)), x.round(decimals=1), x.flip(0, 2)
        return lines, steps, area, far, like, chosen, turned


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 3),)
