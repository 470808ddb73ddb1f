"""
title: A factor or a summand before a reduction, a norm or a deviation
description: >
  A negative factor makes a maximum of a minimum, a norm takes its magnitude, a variance its
  square and a product its power. What is added counts once in a mean, as often as there are
  elements in a sum, and not at all in a deviation.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, factor):
        y = x * -2.0
        scaled = y.amax(1), y.norm(dim=1), y.var(1), y.prod(1), y.sort(1)[0], y.abs().sum(1)
        ranked = y.topk(2, 1)[0], y.cummax(1)[0], y.cumprod(1), y.logsumexp(1), y.median(1)[0]
        z = x + 3.0
        shifted = z.sum(1), z.mean(1), z.prod(1), z.var(1), z.norm(dim=1), z.cumsum(1), z.amin(1)
        rows = (x * factor).sum(0), (x * factor).sum(1), (x * factor).mean(0)
        return scaled, ranked, shifted, rows, (x / factor).amax(0), (x * 0.0).sum(1), (x**2).sum(1)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "factor": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 1)
