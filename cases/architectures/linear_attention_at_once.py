"""
title: Linear attention with one triangle of scores
description: >
  Every token looks at all earlier ones in one product; the triangle is as wide as the sequence.
tags: [torch.attention, torch.dynamic-shape]
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v):
        return (q @ k.mT).tril() @ v


n = Dim("n", min=2, max=32)
dynamic_shapes = {"q": {0: n}, "k": {0: n}, "v": {0: n}}


def inputs(n=10):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 5)
