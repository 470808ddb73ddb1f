"""
title: Floor division of large floats, and abs and angle of complex numbers
description: >
  Large offsets are divided by the size of a page and rounded down, which has to be exact where
  the remainder is. The absolute value of a complex number is computed from both of its parts.
tags: [torch.sweep, torch.operator, torch.complex]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, offset, signal):
        page = (
            torch.floor_divide(offset, 4),
            offset // 3,
            torch.div(offset, 8, rounding_mode="trunc"),
        )
        rest = offset % 4, torch.fmod(offset, 3), torch.remainder(offset, -5)
        return page, rest, signal.abs(), signal.angle(), signal.abs().square() - signal.real**2


def inputs():
    return torch.tensor([3.0, 1500.0, -4001.0, 70001.0]), torch.randn(5, dtype=torch.complex64)


def accepts():
    yield torch.tensor([9999.0, -8.0, 120003.0, 2.0**22]), torch.full((5,), -3 - 4j)
