"""
title: Position ids counted from a padding mask
description: >
  With padding on the left the first token of a row is somewhere in it. A running total of the mask
  numbers the tokens, and padded places get a position that does no harm.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(0, 1, 64).view(16, 4))

    def forward(self, tokens):
        positions = (tokens.cumsum(-1) - 1).masked_fill(tokens == 0, 1)
        return self.table[positions]


dynamic_shapes = {"tokens": {0: Dim("batch", min=1, max=8), 1: Dim("n", min=1, max=12)}}


def inputs(batch=3, n=7):
    return ((torch.arange(n) >= torch.arange(batch)[:, None]).long(),)
