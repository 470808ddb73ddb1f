"""
title: Output size of a pooling computed by its formula
description: >
  The length of a pooled signal is (n - window) // stride + 1, an expression of the size. No
  tensor, not even an empty one, is made to find out. Signals of which pooling leaves a single
  element are out of range.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        pooled = (x.shape[1] - 3) // 2 + 1
        return x.new_ones(x.shape[0], pooled) * x.mean()


dynamic_shapes = {"x": {1: Dim("n", min=5, max=16)}}


def inputs(n=8):
    return torch.randn(2, n)
