"""
title: torch.autograd.Function that changes its input in place
description: >
  mark_dirty says that the input itself is returned, changed. The caller's tensor changes too, and
  so it must with a capture; the result is the same tensor and no copy.
tags: [torch.autograd, torch.mutation, torch.aliasing]
references: [pytorch#133491]
errors: [E0418]
"""

import torch


class ClipInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.clamp_(-1, 1)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Model(torch.nn.Module):
    def forward(self, x):
        y = ClipInPlace.apply(x)
        return y * 2 + x


def inputs():
    return torch.randn(3, 4) * 2
