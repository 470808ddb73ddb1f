"""
title: Key-value cache kept in int8 with a scale for each token
description: >
  The new key is quantized with a scale of its own and appended; attention works on what the cache
  gives back. Rounding is to the nearest, halves to even, and a token of zeros must not divide by
  zero.
tags: [torch.attention, torch.quantized, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, key, cache, scales):
        scale = key.abs().amax(-1, keepdim=True).clamp(min=1e-6) / 127
        new = (key / scale).round().clamp(-127, 127).to(torch.int8)
        cache, scales = torch.cat([cache, new]), torch.cat([scales, scale])
        return (q @ (cache * scales).mT).softmax(-1), cache, scales


n = Dim("n", min=1, max=32)
dynamic_shapes = {"q": None, "key": None, "cache": {0: n}, "scales": {0: n}}


def inputs(n=5):
    cache = (torch.arange(4 * n).view(n, 4) * 7 % 255 - 127).to(torch.int8)
    return torch.randn(1, 4), torch.randn(1, 4), cache, torch.rand(n, 1) / 50


def accepts():
    q, key, cache, scales = inputs()
    yield q, torch.zeros_like(key), cache, scales
    yield q, torch.tensor([[127.0, 0.5, 1.5, -2.5]]), cache, scales
