"""
title: Mel spectrogram in real numbers, by a convolution with cosine and sine waves
description: >
  A convolution whose kernels are windowed waves gives real and imaginary parts of every frame. No
  complex number appears, which many runtimes lack, and the padding by reflection is spelled out.
tags: [torch.dynamic-shape, torch.derived-dim]
references: [pytorch#113067]
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        angles = torch.outer(torch.arange(9), torch.arange(16)) * (torch.pi / 8)
        waves = torch.cat([angles.cos(), -angles.sin()]) * torch.hann_window(16)
        self.register_buffer("waves", waves[:, None])
        self.register_buffer("filters", torch.linspace(0, 1, 27).view(3, 9))

    def forward(self, sound):
        padded = torch.nn.functional.pad(sound[:, None], (8, 8), mode="reflect")
        parts = torch.nn.functional.conv1d(padded, self.waves, stride=4)
        real, imaginary = parts.chunk(2, dim=1)
        power = real.square() + imaginary.square()
        return (self.filters @ power).clamp(min=1e-6).log()


dynamic_shapes = {"sound": {1: Dim("n", min=16, max=400)}}


def inputs(n=50):
    return (torch.randn(2, n),)
