"""
title: Attention weights that are masked after the softmax, returned and used again
description: >
  Weights that are set to zero after the softmax no longer add up to one. They are needed besides,
  for a second product and for the caller, so that one fused kernel cannot take their place.
tags: [torch.attention, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k, v, hidden):
        weights = (q @ k.mT / q.shape[-1] ** 0.5).softmax(-1)
        seen = weights.masked_fill(hidden[:, None], 0.0)
        return seen @ v, weights.mT @ q, weights


n = Dim("n", min=2, max=16)
dynamic_shapes = {"q": None, "k": {1: n}, "v": {1: n}, "hidden": {1: n}}


def inputs(n=7):
    hidden = torch.arange(n).expand(2, -1) % 3 == 0
    return torch.randn(2, 5, 6), torch.randn(2, n, 6), torch.randn(2, n, 4), hidden
