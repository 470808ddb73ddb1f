"""
title: Noise of a recording by the median of absolute deviations
description: >
  Of an even number of readings, median gives the lower of the two in the middle, and a reading
  that exists; quantile(0.5) gives what is halfway between. The noise is measured from the median
  and by the median, so the two differ twice.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        middle = x.median(1, keepdim=True).values
        noise = (x - middle).abs().median(1).values
        return middle, noise * 1.4826, x.median() - x.quantile(0.5), x.quantile(0.5, dim=1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 6)
