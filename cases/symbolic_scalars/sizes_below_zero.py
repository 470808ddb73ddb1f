"""
title: Floor division and remainder of negative expressions of a size
description: >
  Python rounds quotients of negative numbers down, C towards zero. Three places show which rule
  was used: the padding to a multiple, a window that begins before the middle and a roll back by
  half of the size.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        padded = torch.nn.functional.pad(x, (0, 0, 0, -n % 4))
        begin = (1 - n) // 2
        offsets = torch.arange(begin, begin + n)
        rest = (3 - n) % 5
        return padded, offsets, x.roll(-(n // 2), 0), x + rest, x.new_full((2,), (2 - n) // 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=40)}}


def inputs(n=7):
    return (torch.randn(n, 3),)
