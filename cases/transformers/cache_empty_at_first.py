"""
title: Cross-attention keys computed when the cache is empty, else reused
description: >
  On the first call the cache has no rows and the keys are made from the encoder's output; later
  calls take them from the cache. The if asks whether a size is 0, and a capture from a later call
  has lost the first. torch.cond keeps both.
tags: [torch.attention, torch.zero-one, python.control-flow, torch.specialization]
rewrites: [transformers/cache_empty_at_first_masked, transformers/cache_empty_at_first_cond]
pitfalls: [transformers/cache_example_empty]
references: [pytorch#136582]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(3, 3)

    def forward(self, x, encoded, cache):
        if cache.shape[0] == 0:
            keys = self.project(encoded)
        else:
            keys = cache
        return (x @ keys.T).softmax(-1) @ keys


dynamic_shapes = {"x": None, "encoded": None, "cache": {0: Dim("past", min=0, max=16)}}


def inputs(past=5):
    return torch.randn(2, 3), torch.randn(7, 3), torch.randn(past, 3)
