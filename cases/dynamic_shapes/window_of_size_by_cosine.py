"""
title: Hann window of a dynamic size by arange and cos
description: >
  The window is half of one minus a cosine over one period, and torch.arange takes a symbolic
  length.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x * (0.5 - 0.5 * torch.cos(2 * torch.pi * torch.arange(n) / n))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n),)
