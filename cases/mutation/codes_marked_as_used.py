"""
title: Codes that were used are marked in a buffer of bools
description: >
  Each call marks the codes that it meets, and counts those that no call has met so far. The buffer
  is neither floating nor a count, and is written all the same.
tags: [torch.buffer, torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("used", torch.zeros(12, dtype=torch.bool))

    def forward(self, codes):
        fresh = ~self.used[codes]
        self.used[codes] = True
        return fresh, (~self.used).sum()


dynamic_shapes = {"codes": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.arange(n) * 7 % 12
