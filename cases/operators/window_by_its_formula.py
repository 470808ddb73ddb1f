"""
title: "A Hann window of any length made of arange and cos"
description: >
  The formula of a window is a few operators on arange, which takes a size that stays a symbol.
tags: [torch.operator, torch.dynamic-shape]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal):
        n = signal.shape[-1]
        window = 0.5 - 0.5 * torch.cos(torch.arange(n) * (2 * math.pi / n))
        return signal * window


dynamic_shapes = {"signal": {1: Dim("n", min=2, max=64)}}


def inputs(n=7):
    return (torch.randn(3, n),)
