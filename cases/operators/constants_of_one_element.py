"""
title: Constants of one element, which are no numbers
description: >
  A tensor of one element that is added to a half makes it a float, a number does not; it gives
  whole numbers its own type, and a scalar as many dimensions as it has. A pass that writes such
  constants as numbers must keep both.
tags: [torch.sweep, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("two", torch.full((1,), 2.0))
        self.register_buffer("three", torch.tensor(3.0))
        self.register_buffer("wide", torch.full((1, 1), 4, dtype=torch.int64))

    def forward(self, x, half, whole):
        halves = half + self.two, half + self.three, half * 2.0, half * self.wide
        counts = whole * self.two, whole * self.three, whole + self.wide
        sizes = x.sum() + self.two, x[0, 0] * self.wide, x[0] + self.wide, x.sum() * self.three
        powers = whole**self.wide, 2**whole, x**self.two, torch.where(x > 0, x, self.two)
        return halves, counts, sizes, powers, torch.maximum(whole, self.wide), half - 1


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "half": {0: n}, "whole": {0: n}}


def inputs(n=5):
    whole = torch.arange(n, dtype=torch.int32)
    return torch.randn(n, 6), torch.randn(n, dtype=torch.float16), whole
