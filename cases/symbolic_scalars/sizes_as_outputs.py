"""
title: Sizes as outputs
description: >
  The program returns Python ints and a float computed from sizes beside a tensor. A capture has
  to return numbers of the same types, computed for the call.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x + 1, n, 2 * n, n / 4


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
