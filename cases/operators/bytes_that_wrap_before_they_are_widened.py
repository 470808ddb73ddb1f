"""
title: uint8 and int8 arithmetic whose result is cast to a wider dtype
description: >
  A sum of bytes wraps around at 256 before it is cast. A compiler that works in registers of 32
  bits and fuses the cast keeps the digits that eager drops.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a, b):
        wide = (a + b).to(torch.int32), (a - b).float(), (a * b).long(), (-a).to(torch.int16)
        compared = (a + b) > a, (a - b).clamp(max=100).double() / 2, ((a + b) // 2).int()
        mean = ((a + 3) * 2).float().mean(1), torch.where(a > b, a - b, b - a).to(torch.float64)
        small = a.to(torch.int8), b.to(torch.int8)
        return wide, compared, mean, (small[0] * small[1]).int(), (small[0] << 1).long()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"a": {0: n}, "b": {0: n}}


def inputs(n=5):
    a = torch.arange(n * 4).reshape(n, 4)
    return (a * 53 + 200).to(torch.uint8), (a * 91 + 77).to(torch.uint8)
