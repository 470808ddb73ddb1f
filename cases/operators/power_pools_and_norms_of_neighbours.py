"""
title: Power-average pools, a pool along one dim that is undone, and a norm over neighbours
description: >
  lp_pool2d takes the root of a sum of powers, with a last window that is cut off by the edge; max_unpool1d
  puts maxima back where they were and is told the length; local_response_norm divides by the channels around.
tags: [torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        pooled = F.lp_pool2d(x, 3.0, (2, 3), ceil_mode=True), F.lp_pool2d(x, 1.0, 2, stride=1)
        line = x.flatten(2)
        highest, places = F.max_pool1d(line, 3, stride=2, return_indices=True)
        undone = F.max_unpool1d(highest, places, 3, stride=2, output_size=line.shape[2:])
        return pooled, undone, F.local_response_norm(x, 3, alpha=0.5, beta=0.6, k=2.0)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=6):
    return torch.linspace(0.1, 2, n * 3 * 35).sin().abs().reshape(n, 3, 5, 7)
