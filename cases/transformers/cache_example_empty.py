"""
title: Example call with an empty cache
description: >
  The first call of a decoder has a cache without rows, and it is the call at hand when the model is
  exported. Tracing treats a size of 0 apart from all others, so later calls with rows differ from
  the example in kind. The rewrite exports a later call.
tags: [torch.attention, torch.zero-one, torch.dynamic-shape]
rewrites: [transformers/cache_example_filled]
pitfalls: [inputs/optional_left_out, dynamic_shapes/example_size_one_auto]
references: [pytorch#136582]
errors: [E0101]
allow:
  L055: the case is about an example size of 0
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, cache):
        keys = torch.cat([cache, x], dim=1)
        return (x @ keys.mT).softmax(-1) @ keys, keys


dynamic_shapes = {"x": None, "cache": {1: Dim("past", min=0, max=16)}}


def inputs(past=0):
    return torch.randn(2, 1, 3), torch.randn(2, past, 3)
