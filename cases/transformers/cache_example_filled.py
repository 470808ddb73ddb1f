"""
title: Example call with some rows in the cache
description: >
  The example has a cache of several rows, a number that occurs nowhere else. The range begins at 0,
  so the first call with its empty cache belongs to it.
tags: [torch.attention, torch.zero-one, torch.dynamic-shape]
references: [pytorch#136582]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, cache):
        keys = torch.cat([cache, x], dim=1)
        return (x @ keys.mT).softmax(-1) @ keys, keys


dynamic_shapes = {"x": None, "cache": {1: Dim("past", min=0, max=16)}}


def inputs(past=5):
    return torch.randn(2, 1, 3), torch.randn(2, past, 3)
