"""
title: Comparison of a size as a factor
description: >
  A comparison may be multiplied as it is: it counts as 0 or 1, and the graph computes it.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] > 4)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
