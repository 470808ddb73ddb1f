"""
title: One dynamic size with a range
description: >
  Dim declares which sizes may come. Inside the range one graph serves all of them; outside, the
  capture has to refuse or to agree with eager.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[0]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=8):
    return torch.randn(n, 3)
