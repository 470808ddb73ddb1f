"""
title: The tensor of a cache module as an input
description: >
  forward takes the tensor that the cache holds, and the caller reads it from the module. A graph
  has a place for it among its inputs, so every call may bring another cache.
tags: [torch.attention, torch.module]
references: [pytorch#147326]
dims: {position: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, position, keys):
        return (x @ keys.index_copy(0, position, x).T).softmax(-1)


def inputs(position=5):
    return torch.randn(1, 3), torch.tensor([position]), torch.randn(8, 3)
