"""
title: Products, halves and runs along a dimension counted from the end
description: >
  cross, cosine_similarity, glu and their like treat one dimension unlike the others. It is named
  from the end here, or left to its default where that is the first that fits.
tags: [torch.sweep]
"""

import torch
import torch.nn.functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        products = torch.cross(x, y, -2), torch.linalg.cross(x, y, dim=-2)
        alike = F.cosine_similarity(x, y, -1), torch.linalg.vecdot(x, y, dim=-2), (x * y).sum(-2)
        halves = F.glu(x, -1), x.renorm(1.5, -1, 2.0), x.round(decimals=-1)
        repeated = x.repeat_interleave(2, -1), x.repeat_interleave(2), x.repeat_interleave(3, dim=1)
        areas = torch.trapz(x, dim=-2), torch.trapz(x, dx=0.5, dim=1), torch.gradient(x, dim=-1)
        pieces = x.tensor_split(3, -1), x.tensor_split((1, 3), -1), x.diff(n=2, dim=-1)
        return products, alike, halves, repeated, areas, pieces


def inputs():
    return torch.randn(5, 3, 4) * 4, torch.randn(5, 3, 4)
