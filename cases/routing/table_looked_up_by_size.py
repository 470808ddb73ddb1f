"""
title: Dict looked up with a size as the key
description: >
  A table holds a setting for some lengths and a default for all others. A dict needs the hash of
  its key, and a symbolic size has none that means anything. The rewrite keeps the table in a
  tensor, and clamps the size to its last entry.
tags: [python.data-structure, torch.dynamic-shape, torch.specialization]
rewrites: [routing/table_indexed_by_size]
pitfalls: [dynamic_shapes/branch_on_size]
references: [huggingface/transformers#48907]
errors: [E0101, E0109]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    factors = {2: 0.5, 3: 0.25, 4: 0.125}

    def forward(self, x):
        return x * self.factors.get(x.shape[0], 10.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 5)
