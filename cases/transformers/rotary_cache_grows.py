"""
title: Rotary embedding whose cos and sin tables grow with the sequence
description: >
  The tables are made for eight positions, and made anew when a longer sequence comes. The branch is
  on the length, so a capture from a short example has only the side that reads the table, for
  lengths that the table has. The rewrites compute the table in each call, or for the maximum.
tags: [torch.attention, torch.buffer, python.control-flow, torch.guard]
rewrites: [transformers/rotary_computed_each_call, transformers/rotary_table_of_maximum]
pitfalls: [dynamic_shapes/branch_on_size_auto]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.build(8)

    def build(self, length):
        angles = torch.outer(torch.arange(length), 0.1 ** torch.arange(3))
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def forward(self, x):
        n = x.shape[1]
        if n > self.cos.shape[0]:
            self.build(n)
        a, b = x.chunk(2, dim=-1)
        cos, sin = self.cos[:n], self.sin[:n]
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


dynamic_shapes = {"x": {1: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(2, n, 6),)
