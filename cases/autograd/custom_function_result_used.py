"""
title: torch.autograd.Function in place whose result is used
description: >
  The program goes on with what apply returned. In eager that is the same tensor as the input; in
  a graph it is the one that the backward hangs on.
advice: >
  Write the gradient in the open, as the rewrite does, or make a custom operator with a gradient of
  its own, as in custom_operators/with_gradient.
tags: [torch.autograd, torch.mutation, torch.aliasing]
train: true
references: [pytorch#184113]
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
        y = DoubledInPlace.apply(x + 1)
        return y * 3


def inputs():
    return torch.randn(3, 4, requires_grad=True)
