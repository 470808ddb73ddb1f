"""
title: Heads of keys repeated one by one, or tiled as a whole, for grouped queries
description: >
  repeat_interleave gives each group of queries its own head; repeat puts all heads one after
  another, so that neighbouring queries get different ones. Both make the same shape, and only one
  is grouped-query attention.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, q, k):
        tiled, repeated = k.repeat(1, 3, 1, 1), k.repeat_interleave(3, 1)
        weights = (q @ tiled.mT).softmax(-1)
        return weights @ tiled, (q @ repeated.mT).softmax(-1) @ repeated, weights @ repeated


n = Dim("n", min=1, max=16)
dynamic_shapes = {"q": {2: n}, "k": {2: n}}


def inputs(n=5):
    return torch.randn(2, 6, n, 4), torch.randn(2, 2, n, 4)
