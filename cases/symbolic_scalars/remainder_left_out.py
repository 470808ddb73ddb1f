"""
title: Dynamic size used without a remainder by infinity
description: >
  Where the limit is switched off the size is used as it is, and no remainder has to be computed.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
