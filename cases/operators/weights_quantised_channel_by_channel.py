"""
title: fake_quantize_per_channel_affine for weights, per tensor for activations
description: >
  Each output channel has a scale of its own along the second dimension, activations one for all.
  The matrix is square, so scales along the wrong dimension fit as well.
tags: [torch.operator, torch.quantized]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scales", torch.tensor([0.1, 0.25, 0.5, 1.0]))
        self.register_buffer("zeros", torch.tensor([0, 3, -2, 1], dtype=torch.int32))

    def forward(self, x, weight):
        kept = torch.fake_quantize_per_channel_affine(weight, self.scales, self.zeros, 1, -8, 7)
        near = torch.fake_quantize_per_tensor_affine(x, 0.3, 2, 0, 15)
        return near @ kept, kept, near


def inputs():
    return torch.randn(5, 4), torch.randn(4, 4)


def accepts():
    yield torch.linspace(-3, 9, 20).view(5, 4), 5 * torch.randn(4, 4)
