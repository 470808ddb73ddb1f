"""
title: Layer of grouped-query attention, two heads of keys for six of queries
description: >
  Queries have six heads, keys and values two. Each of the two serves three neighbouring heads of
  queries (0 0 0 1 1 1), for which repeat_interleave repeats it; the other order (0 1 0 1 0 1) has
  the same shape and mixes up what the layer has learned.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.q, self.kv = torch.nn.Linear(8, 24), torch.nn.Linear(8, 16)
        self.out = torch.nn.Linear(24, 8)

    def forward(self, x):
        q = self.q(x).unflatten(-1, (6, 4)).transpose(1, 2)
        k, v = self.kv(x).unflatten(-1, (2, 2, 4)).permute(2, 0, 3, 1, 4).repeat_interleave(3, 2)
        mixed = (q @ k.mT / 2).softmax(-1) @ v
        return self.out(mixed.transpose(1, 2).flatten(2))


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(3, n, 8)
