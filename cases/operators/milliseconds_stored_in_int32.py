"""
title: Milliseconds since 1970 stored in int32
description: >
  The time of today in milliseconds has 41 bits. A cast to int32 keeps the lower 32 of them, sign
  included, so that differences of times are still right. A cast that stops at the
  largest int32 makes all times equal.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, time):
        stored = time.to(torch.int32)
        return stored, stored - stored[0], (time * 1000).int()


dynamic_shapes = {"time": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return 1_700_000_000_123 + torch.arange(n) * 1_357


def accepts():
    yield torch.tensor([2**31 - 1, 2**31, 2**32 + 5, -(2**31) - 1])
