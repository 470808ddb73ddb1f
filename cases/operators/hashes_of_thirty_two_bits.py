"""
title: Buckets of hashes that are unsigned numbers of 32 bits
description: >
  Half of all hashes have the highest bit set. As uint32 they are large numbers, and their remainder is the bucket;
  read as int32 they would be negative and fall into other buckets.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, hashes):
        wide = hashes.to(torch.int64)
        return wide % 1000, wide >> 24, hashes.to(torch.float64), wide.sum()


dynamic_shapes = {"hashes": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    spread = (torch.arange(n) * 2654435761 + 7) % 2**32
    return spread.to(torch.uint32)
