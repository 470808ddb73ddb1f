"""
title: Cache keyed by id() of a tensor
description: >
  forward remembers results by id(tensor), so that the same tensor is not worked on twice. The id
  is an address of the moment and means nothing in a graph. The rewrite computes each result once
  by name.
tags: [python.builtin]
rewrites: [python/results_by_name]
errors: [E0513]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        seen = {}
        total = 0
        for tensor in (x, y, x):
            if id(tensor) not in seen:
                seen[id(tensor)] = tensor.sin()
            total = total + seen[id(tensor)]
        return total


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)
