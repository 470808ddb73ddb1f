"""
title: Dim.AUTO and Dim.DYNAMIC with a range
description: >
  A hint may carry a range: tracing still finds the relations itself, but sizes outside of what
  was asked for are refused. Here the joined length is bounded, not found to be bounded.
tags: [torch.dim-hint, torch.dynamic-shape, torch.guard]
dims: {n: {min: 3, max: 24}, m: {min: 2, max: 9}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return torch.cat([x, y]) * x.shape[0] / y.shape[0]


dynamic_shapes = {"x": {0: Dim.AUTO(min=3, max=24)}, "y": {0: Dim.DYNAMIC(min=2, max=9)}}


def inputs(n=5, m=7):
    return torch.randn(n), torch.randn(m)
