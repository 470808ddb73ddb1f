"""
title: Cache kept in a buffer that is replaced by a longer one
description: >
  Each call assigns the concatenation of buffer and new key to the buffer, so it has one row more
  afterwards and the next call starts from there. The sizes in a capture are those of the first
  call: its second call has to see a longer buffer, or refuse.
advice: >
  Keep a buffer of the greatest length and write at a position, as in
  mutation/key_value_cache_buffer, or take the cache as an input and return the longer one: a
  buffer of a graph has one size.
tags: [torch.attention, torch.buffer, torch.mutation]
pitfalls: [mutation/tensor_attribute_assigned, transformers/cache_changed_for_the_caller]
errors: [E0122]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("keys", torch.zeros(4, 3))

    def forward(self, x):
        self.keys = torch.cat([self.keys, x])
        return (x @ self.keys.T).softmax(-1) @ self.keys


def inputs():
    return (torch.randn(1, 3),)
