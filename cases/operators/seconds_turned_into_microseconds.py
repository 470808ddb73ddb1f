"""
title: Seconds in float64, turned into whole microseconds
description: >
  The time of day in seconds has more digits than float32 holds. As float64 it is exact to a microsecond, and the cast to
  int64 cuts off towards zero; on the way through float32 seconds would be all that is left.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, seconds):
        micros = (seconds * 1e6).to(torch.int64)
        steps = micros.diff()
        return micros, steps, (seconds % 1).to(torch.float32), seconds.mean(), micros / 10**6


dynamic_shapes = {"seconds": {0: Dim("n", min=3, max=64)}}


def inputs(n=5):
    return 1_700_000_000.25 + torch.arange(n, dtype=torch.float64) * 0.001953125
