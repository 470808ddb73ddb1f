"""
title: Audio as int16, mixed and turned into numbers between -1 and 1
description: >
  Samples of 16 bits wrap when they are added as they are, and do not when they are widened first; -32768 has no
  positive counterpart. Their mean is taken in float32.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, left, right):
        mixed = ((left.to(torch.int32) + right) // 2).to(torch.int16)
        loud = left.to(torch.float32).square().mean().sqrt()
        return left + right, mixed, left.abs(), left.to(torch.float32) / 32768, loud, left.sum()


dynamic_shapes = {name: {0: Dim("n", min=1, max=64)} for name in ("left", "right")}


def inputs(n=7):
    samples = (torch.arange(2 * n) * 21001 - 32768) % 65536 - 32768
    return samples[:n].to(torch.int16), samples[n:].to(torch.int16)
