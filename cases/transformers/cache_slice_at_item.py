"""
title: Cache written through a slice that starts at a value of a tensor
description: >
  The position of the token is read with item() and gives the bounds of a slice that is assigned
  to. How many rows buffer[i : i + 1] has depends on where i lies: one inside of the buffer, none
  behind its end. The rewrite hands the position to index_copy_ as a tensor.
tags: [torch.attention, torch.item, torch.mutation, torch.unbacked-symbol]
requires: [values]
rewrites: [transformers/cache_index_copy]
references: [pytorch#155862]
dims: {position: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 3))

    def forward(self, x, position):
        i = position.item()
        self.keys[i : i + 1] = x
        return x @ self.keys.T


def inputs(position=5):
    return torch.randn(1, 3), torch.tensor([position])
