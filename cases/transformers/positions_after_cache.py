"""
title: Positions that go on where the cache ends
description: >
  The new tokens are numbered from the length of the cache on, with arange from one size to the sum
  of two. The end of the arange is an expression of both sizes, and its length is one of them.
tags: [torch.attention, torch.dynamic-shape, torch.derived-dim]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, cache):
        start = cache.shape[0]
        positions = torch.arange(start, start + x.shape[0])
        keys = torch.cat([cache, x + positions[:, None]])
        return keys, positions


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}, "cache": {0: Dim("past", min=0, max=16)}}


def inputs(n=3, past=5):
    return torch.randn(n, 4), torch.randn(past, 4)
