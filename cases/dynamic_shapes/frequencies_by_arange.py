"""
title: Frequencies of a Fourier transform by arange
description: >
  The second half of the frequencies is negative, which torch.where expresses for any length.
tags: [torch.dynamic-shape, torch.operator, torch.complex]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        k = torch.arange(n)
        return torch.fft.fft(x).abs() * torch.where(k < (n + 1) // 2, k, k - n) / n


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
