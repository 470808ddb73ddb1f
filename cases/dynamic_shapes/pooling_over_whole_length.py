"""
title: Average pooling with the whole length as its kernel
description: >
  Pooling operators take their kernel size as a plain int, so a kernel as long as the input makes
  the length a constant. The rewrite is a mean.
tags: [torch.dynamic-shape, torch.operator]
rewrites: [dynamic_shapes/mean_over_whole_length]
errors: [E0101]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return F.avg_pool1d(x, x.shape[-1])


dynamic_shapes = {"x": {1: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(3, n),)
