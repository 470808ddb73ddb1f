"""
title: IDs beyond 2**24 moved past reserved numbers in several steps
description: >
  Every layer of a tokenizer adds its own count of reserved IDs or takes it away again. Added up
  before or after, the sum is the same for integers; on the way through float32 an odd ID beyond
  16,777,216 becomes an even one.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids):
        moved = ids + 1 - 1
        tokens = ids + 4 + 3 - 2
        return moved, tokens, 7 - (11 - ids), moved % 8, (ids - 9 + 8) * 3 - 1


dynamic_shapes = {"ids": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return 2**24 + 1 + torch.arange(n) * 1_000_002


def accepts():
    yield torch.tensor([2**31 - 1, 2**40 + 1, -(2**53) - 1])
