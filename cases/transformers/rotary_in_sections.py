"""
title: Rotary embedding in sections for time, row and column (Qwen-VL)
description: >
  Each token has three positions. The features are divided into three sections of different width,
  twice, and each section turns with its own position: cos and sin are split, and put together
  with a section from each.
tags: [torch.attention, torch.dynamic-shape, python.data-structure]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    sections = (1, 2, 3)

    def forward(self, x, positions):
        angles = positions[..., None] * 0.1 ** torch.linspace(0, 1, 6)
        angles = torch.cat([angles, angles], dim=-1)
        parts = angles.split(self.sections * 2, dim=-1)
        angles = torch.cat([part[i % 3] for i, part in enumerate(parts)], dim=-1)
        first, second = x.chunk(2, dim=-1)
        return x * angles.cos() + torch.cat([-second, first], dim=-1) * angles.sin()


n = Dim("n", min=1, max=32)
dynamic_shapes = {"x": {0: n}, "positions": {1: n}}


def inputs(n=5):
    return torch.randn(n, 12), torch.arange(3 * n).view(3, n) % 7
