"""
title: var, median, mode and quantile of rows
description: >
  The sample variance divides by the count minus one, the median of an even number of values is
  the lower of the two in the middle while a quantile lies between them, and of two modes the
  smaller is returned.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        spread = torch.var_mean(x, 1), torch.std_mean(x, 1, correction=0), x.var(), x.std(1)
        ends = (
            x.amax(1),
            x.amin(0),
            torch.aminmax(x, dim=1),
            x.mean(0),
            x.mean(),
            x.norm(p=3, dim=1),
        )
        middle = x.median(1), x.nanmedian(1), x.mode(1), x.quantile(0.3, dim=1), x.kthvalue(2, 1)
        return spread, ends, middle, x.logsumexp(1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 4.0).reshape(n, 4) * 7 % 5,)
