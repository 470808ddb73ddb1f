"""
title: std, var, std_mean and var_mean with unbiased=False
description: >
  Without correction a variance divides by the count itself, not by one less. Of few values, or of
  a batch of one row, the difference is large.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-5}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        spread = x.std(1, unbiased=False), x.var(0, unbiased=False)
        both = torch.std_mean(x, 1, unbiased=False)
        return spread, both, torch.var_mean(x, 1, unbiased=False, keepdim=True)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
