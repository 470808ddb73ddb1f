"""
title: Floor division by a float in a tensor
description: >
  The seconds become a tensor of no dimensions, and its floor division is an operator that rounds
  as Python's in eager and in a graph; Inductor and ONNX Runtime round the quotient first.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        seconds = torch.full((), x.shape[0], dtype=torch.float64) / 10
        return x / (seconds // 0.1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
