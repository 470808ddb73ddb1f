"""
title: Tensor stored as an attribute in forward
description: >
  forward leaves its intermediate result on self for others to read. The attribute is no buffer,
  so a capture has no place for it: what it returns is right, and whoever reads the attribute
  afterwards finds nothing new. The rewrite declares a buffer and copies into it.
tags: [torch.mutation, python.attribute]
rewrites: [mutation/tensor_attribute_as_buffer]
references: [pytorch#122337, pytorch#163189]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = None

    def forward(self, x):
        self.hidden = x * 2
        return self.hidden + 1


def inputs():
    return (torch.randn(3, 4),)
