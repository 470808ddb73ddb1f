"""
title: Variance where the mean is far from zero
description: >
  Pressures, frequencies and times are large numbers that vary little. The variance is right if
  the mean is subtracted first; the mean of squares minus the square of the mean has lost all its
  digits.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, readings):
        drift = readings.var(0, correction=0)
        return drift, readings.var(1, correction=1), readings.std(1, correction=0)


dynamic_shapes = {"readings": {0: Dim("n", min=2, max=64)}}


def inputs(n=5):
    return (torch.randn(n, 6) + 9000.0,)
