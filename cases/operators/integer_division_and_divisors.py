"""
title: 'Division of negative integers: //, %, trunc, fmod, gcd and lcm'
description: >
  // and % round towards minus infinity; div with trunc and fmod round towards zero. For positive
  numbers both are the same, so a mistake shows only with negative ones. / gives a float.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        down = x // y, x % y, torch.div(x, y, rounding_mode="floor"), torch.remainder(x, 3)
        to_zero = torch.div(x, y, rounding_mode="trunc"), torch.fmod(x, y), torch.fmod(x, -3)
        real = x / y, torch.floor_divide(x * 0.5, y), torch.remainder(x * 0.5, y), x.float().trunc()
        return down, to_zero, real, torch.gcd(x, y), torch.lcm(x, y), 7 // y, -7 % y


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.arange(n * 2).reshape(n, 2) * 5 % 23 - 11, torch.arange(n * 2).reshape(
        n, 2
    ) % 4 - 5


def accepts():
    yield torch.tensor([[-7, 7], [-8, 8]]), torch.tensor([[2, -2], [-4, 4]])
