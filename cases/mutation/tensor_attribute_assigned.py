"""
title: Tensor kept on self for the next call
description: >
  forward leaves a tensor in an attribute and reads it the next time it is called. The attribute is
  no buffer, so a capture has no place for it: the first call is right, and every later one answers
  as if it were the first. The rewrite declares a buffer and copies into it.
tags: [torch.mutation, python.attribute]
rewrites: [mutation/tensor_attribute_as_buffer]
pitfalls: [mutation/buffer_assigned, modules/buffer_none_until_first_call]
references: [pytorch#122337, pytorch#163189]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.previous = None

    def forward(self, x):
        previous, self.previous = self.previous, x * 2
        return x + 1 if previous is None else x + previous + 1


def inputs():
    return (torch.randn(3, 4),)
