"""
title: Attention in bfloat16 whose softmax is computed in float32 (Llama)
description: >
  The scores are rounded to bfloat16 before they are widened, and the weights again after the
  softmax. A pass that drops the casts, or moves them past the products, gives other numbers.
tags: [torch.attention, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v):
        scores = q @ k.mT * q.shape[-1] ** -0.5
        weights = scores.softmax(-1, dtype=torch.float32)
        late = scores.float().softmax(-1) @ v.float()
        return weights.to(q.dtype) @ v, late, late.to(q.dtype), weights, scores.softmax(-1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"q": None, "k": {1: n}, "v": {1: n}}


def inputs(n=7):
    half = torch.bfloat16
    return torch.randn(2, 5, 6, dtype=half), *torch.randn(2, 2, n, 6, dtype=half)
