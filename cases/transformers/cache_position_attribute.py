"""
title: Position in the cache counted in a Python attribute
description: >
  Counting the tokens in an int of the module avoids item(), but a capture sees only the number of
  the moment: every call of it writes the row of the first one. The counter has to be a tensor.
tags: [torch.attention, torch.mutation, python.attribute]
rewrites: [transformers/cache_position_buffer]
pitfalls: [mutation/tensor_attribute_assigned]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(8, 3))
        self.position = 0

    def forward(self, x):
        self.keys[self.position : self.position + 1] = x
        self.position += 1
        return x @ self.keys.T


def inputs():
    return (torch.randn(1, 3),)
