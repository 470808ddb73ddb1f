"""
title: Bit shifts and masks of signed and unsigned integers
description: >
  A right shift keeps the sign of a signed dtype and fills an unsigned one with zeros; bits that
  are shifted out at the left are lost at the width of the dtype. Python ints and tensors may
  stand on either side.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        small, plain = x.to(torch.int8), x.to(torch.uint8)
        places = torch.arange(4)
        moved = torch.bitwise_left_shift(small, 3), torch.bitwise_right_shift(small, 2)
        more = plain << 1, plain >> 3, 5 << places, x >> places
        masks = x & 6, x | -8, x ^ plain, ~plain, ~small, small & plain
        bits = ((x[:, :, None] >> torch.arange(8)) & 1).sum(-1)
        swapped = (x & 0xFF) << 8 | x >> 8 & 0xFF
        return moved, more, masks, bits, swapped, (x & 1).bool() ^ (x > 2)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=7):
    return (torch.randint(-100, 100, (n, 4)),)
