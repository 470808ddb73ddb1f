"""
title: Cache of a window of tokens, moved on by roll
description: >
  The buffer holds the last four tokens. Each call moves them on by one place and writes the new
  one at the end, so its size never changes; places not yet written are masked by a count.
tags: [torch.attention, torch.mutation, torch.buffer]
references: [huggingface/transformers#47900]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(4, 3))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.keys.copy_(self.keys.roll(-1, dims=0))
        self.keys[-1] = x[0]
        self.count.add_(1)
        empty = torch.arange(4) < 4 - self.count
        weights = (x @ self.keys.T).masked_fill(empty, -torch.inf).softmax(-1)
        return weights @ self.keys


def inputs():
    return (torch.randn(1, 3),)
