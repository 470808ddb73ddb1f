"""
title: Cross-attention over cache and encoder at once, with a mask
description: >
  The keys of the cache and those made from the encoder's output stand in one tensor, and a mask
  leaves one kind out: the encoder's as soon as the cache has a row. No branch asks for the size, and
  the first call is in the graph as well.
tags: [torch.attention, torch.zero-one, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(3, 3)

    def forward(self, x, encoded, cache):
        cached = torch.ones_like(cache[:, 0], dtype=torch.bool)
        made = (cached.sum() == 0).expand(encoded.shape[0])
        allowed = torch.cat([cached, made])
        keys = torch.cat([cache, self.project(encoded)])
        keys = torch.where(allowed[:, None], keys, 0)
        scores = (x @ keys.T).masked_fill(~allowed, float("-inf"))
        return scores.softmax(-1) @ keys


dynamic_shapes = {"x": None, "encoded": None, "cache": {0: Dim("past", min=0, max=16)}}


def inputs(past=5):
    return torch.randn(2, 3), torch.randn(7, 3), torch.randn(past, 3)
