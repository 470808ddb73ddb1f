"""
title: Noise in another dtype than the tensor that it is like
description: >
  rand_like and randn_like take a dtype of their own, and draw other numbers for float64 than for float32. Complex noise
  has half of its power in each part.
tags: [torch.random, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        fine = torch.rand_like(x, dtype=torch.float64)
        wave = torch.randn(x.shape[0], 4, dtype=torch.complex64)
        coarse = torch.randn_like(fine, dtype=torch.float32)
        return x + fine, wave, wave.abs().square(), coarse * x, torch.randn_like(wave)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.linspace(-1, 1, n * 3).reshape(n, 3)
