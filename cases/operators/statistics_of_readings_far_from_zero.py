"""
title: Spread of readings whose mean is far from zero
description: >
  Temperatures in kelvin, pressures or times are large numbers that vary little. Their variance and
  their norm are right where the mean is taken off first; the mean of squares less the square of
  the mean has lost all its digits.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, readings):
        variance, mean = torch.var_mean(readings, dim=0)
        scaled = torch.nn.functional.layer_norm(readings, (6,))
        return variance, readings.std(1), readings.var(0), scaled, (readings - mean).abs().amax()


dynamic_shapes = {"readings": {0: Dim("n", min=2, max=64)}}


def inputs(n=5):
    return (torch.randn(n, 6) + 9000.0,)
