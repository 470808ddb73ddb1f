"""
title: torch.autograd.Function in place whose result is not used
description: >
  The function changes its input in place and marks it dirty; the program goes on with the input
  and drops what apply returned. In eager both are one tensor, so the gradient goes through the
  function. A capture that goes by the returned tensor alone loses its backward.
tags: [torch.autograd, torch.mutation, torch.aliasing]
train: true
references: [pytorch#184113, pytorch#90209]
rewrites: [autograd/custom_gradient_by_detach]
errors: [E0418]
"""

import torch


class DoubledInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 10


class Model(torch.nn.Module):
    def forward(self, x):
        y = x + 1
        DoubledInPlace.apply(y)
        return y * 3


def inputs():
    return torch.randn(3, 4, requires_grad=True)
