"""
title: Rotary embedding with tables for the longest sequence
description: >
  The tables are made once for the largest length that is declared, and each call reads the first
  rows. The end of the range is the size of the table; longer sequences are an error.
tags: [torch.attention, torch.buffer, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(16), 0.1 ** torch.arange(3))
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x):
        cos, sin = self.cos[: x.shape[1]], self.sin[: x.shape[1]]
        a, b = x.chunk(2, dim=-1)
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(2, n, 6),)
