"""
title: Spread of readings whose mean is far from zero
description: >
  Pressures, frequencies or times are large numbers that vary little. Their variance is right where
  the mean is taken off first; the mean of squares less the square of the mean has lost all its
  digits. The correction is given by name.
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
