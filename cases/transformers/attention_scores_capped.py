"""
title: Attention whose scores are capped by tanh before the mask (Gemma 2)
description: >
  Scores are divided by a cap, passed through tanh and multiplied by it again, and only then
  masked. A pattern that looks for products, a mask and a softmax must not skip what lies between,
  or move the mask in front of it.
tags: [torch.attention, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v, mask):
        scores = q @ k.transpose(-1, -2) * 0.5
        capped = (scores / 2.0).tanh() * 2.0
        weights = (capped + mask[:, None]).softmax(-1)
        return weights @ v


n, m = Dim("n", min=1, max=16), Dim("m", min=1, max=16)
dynamic_shapes = {"q": {2: n}, "k": {2: m}, "v": {2: m}, "mask": {1: n, 2: m}}


def inputs(n=5, m=7):
    sizes = (2, 3, m, 6)
    mask = torch.zeros(2, n, m).index_fill(2, torch.tensor([0]), -3.0)
    return torch.randn(2, 3, n, 6) * 3, torch.randn(sizes), torch.randn(sizes), mask
