"""
title: torch.fft.fftfreq of a dynamic size
description: >
  torch.fft.fftfreq takes its length as a plain int, so a dynamic size becomes a constant,
  although the transform itself takes any length. The rewrite computes the frequencies with
  arange.
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
