"""
title: full_like, new_full, ones_like, eye and fill_ with another dtype than their input
description: >
  A fill value is converted to the dtype, which is that of the input unless one is given: a fraction
  among ints is cut off, and any number but zero is True.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, n):
        like = [torch.full_like(x, 9), torch.full_like(n, 2.75)]
        like += [torch.full_like(x, -3.5, dtype=torch.int64)]
        more = [torch.full_like(n, 0.5, dtype=torch.bool)]
        more += [torch.full_like(x, 2 - 1j, dtype=torch.complex64)]
        ones = [torch.ones_like(x, dtype=torch.uint8), torch.ones_like(n)]
        ones += [torch.zeros_like(n, dtype=torch.bfloat16)]
        new = [x.new_full((2, x.shape[0]), 3), n.new_full((3,), 2.5)]
        new += [x.new_full((2,), 1.5, dtype=torch.int32)]
        kinds = [x.new_ones(2, dtype=torch.int64), n.new_zeros(3, dtype=torch.float64)]
        kinds += [n.new_ones(x.shape[0])]
        eyes = [torch.eye(2, 3, dtype=torch.int64), torch.eye(x.shape[0], 2, dtype=torch.bool)]
        eyes += [torch.eye(1)]
        filled = [x.clone().fill_(3), n.clone().fill_(-2.75), torch.full((2,), True)]
        filled += [torch.full((2,), 5), torch.full((), 2j)]
        rest = [torch.arange(x.shape[0], dtype=torch.bfloat16)]
        return like, more, ones, new, kinds, eyes, filled, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "n": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 3), torch.arange(n)
