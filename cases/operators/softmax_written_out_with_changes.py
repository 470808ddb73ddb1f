"""
title: Softmax written out with one more in the sum, over a mask, or with another maximum
description: >
  exp over its sum is a softmax, and adding one to the sum lets a row attend to nothing. Where the
  maximum or the sum is taken over another dimension, or only what a mask lets through is added,
  it is none.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, mask):
        shifted = (x - x.amax(-1, keepdim=True)).exp()
        one_more = shifted / (1 + shifted.sum(-1, keepdim=True))
        crossed = shifted / shifted.sum(0, keepdim=True)
        kept = shifted * mask / (shifted * mask).sum(-1, keepdim=True).clamp(min=1e-6)
        halves = shifted / (shifted.sum(-1, keepdim=True) + 1e-3), shifted / shifted.amax(0)
        centred = (x - x.mean(-1, keepdim=True)).exp()
        return one_more, crossed, kept, halves, centred / centred.sum(), x.softmax(-1) * mask


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n * 4).view(n, 4) % 3 > 0


def accepts():
    yield torch.full((2, 4), 8.0), torch.zeros(2, 4, dtype=torch.bool)
