"""
title: fftfreq of a size
description: >
  torch.fft.fftfreq takes its length as a plain int: the size is settled, while the transform
  itself takes any.
tags: [torch.dynamic-shape, torch.operator, torch.complex]
rewrites: [dynamic_shapes/frequencies_by_arange]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.fft.fft(x).abs() * torch.fft.fftfreq(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
