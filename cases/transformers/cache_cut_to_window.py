"""
title: Cache cut to a window that may be longer than the cache
description: >
  keys[-4:] takes the last four rows, or all while there are fewer. How many it takes is another
  expression on each side of four, so slicing with a negative start asks which side it is. The
  rewrite computes the start with torch.sym_max.
tags: [torch.attention, torch.dynamic-shape, torch.guard, torch.view]
rewrites: [transformers/cache_masked_to_window]
pitfalls: [dynamic_shapes/branch_on_size]
references: [huggingface/transformers#47900]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, past):
        keys = torch.cat([past, x])[-4:]
        return (x @ keys.T).softmax(-1) @ keys


dynamic_shapes = {"x": None, "past": {0: Dim("past", min=0, max=16)}}


def inputs(past=6):
    return torch.randn(1, 3), torch.randn(past, 3)
