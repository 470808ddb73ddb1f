"""
title: Type promotion in cat, where, stack, clamp and comparisons
description: >
  cat, where and comparisons promote ints, small ints and bools to one dtype; a Python number
  promotes only by its kind. int8 wraps around where it is added, and an in-place write keeps the
  dtype of its target.
tags: [torch.sweep, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, small, whole, half, exact):
        joined = torch.cat([small, whole]), torch.stack([whole, half]), torch.cat([half, exact])
        truth = whole < 2.5
        chosen = torch.where(truth, whole, half), torch.where(truth, small, 0.5)
        compared = whole > whole.roll(1), whole >= 16777216.5, whole.eq(half), exact < half
        wrapped = small + small, small * small, -small, small - 100, small.abs()
        clamped = whole.clamp(-1.5, 2.5), small.clamp(max=3), whole.clamp(half, exact)
        written = torch.zeros(5, dtype=torch.int32).copy_(half * 9), small.to(half)
        bits = torch.bitwise_and(whole, -2), torch.bitwise_or(whole, 2**40), whole ^ small
        scaled = exact * 0.1, exact / 3, exact + 1e-9, half * 0.1, whole * 0.1, half + exact[0]
        totals = small.sum(), truth.sum(), truth.cumsum(0), half.sum(dtype=torch.float32)
        return joined, chosen, compared, wrapped, clamped, written, bits, scaled, totals


def inputs():
    whole = torch.tensor([3, -2, 2**40 + 5, 16777217, 16777216])
    small = torch.tensor([100, -128, 7, -100, 3], dtype=torch.int8)
    half = torch.tensor([0.3, 2.7, -1.5, 1000.0, 3.0], dtype=torch.float16)
    return small, whole, half, torch.randn(5, dtype=torch.float64)


def accepts():
    small, whole, half, exact = inputs()
    yield small.flip(0), whole.flip(0), half * 0, exact / 7
