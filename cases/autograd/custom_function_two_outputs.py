"""
title: torch.autograd.Function with two outputs, one without a gradient
description: >
  The function returns values and their indices. mark_non_differentiable says that the indices
  have no gradient, and backward gets a gradient for each output all the same. Here it doubles
  that of the values, which no differentiation of the forward would find.
tags: [torch.autograd]
rewrites: [autograd/largest_with_doubled_gradient]
train: true
"""

import torch


class LargestOfRow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        values, places = x.max(1)
        ctx.mark_non_differentiable(places)
        ctx.save_for_backward(x, places)
        return values, places

    @staticmethod
    def backward(ctx, gradient, unused):
        x, places = ctx.saved_tensors
        return torch.zeros_like(x).scatter(1, places[:, None], 2 * gradient[:, None])


class Model(torch.nn.Module):
    def forward(self, x):
        values, places = LargestOfRow.apply(x)
        return values * 3, places


def inputs():
    return torch.randn(3, 4, requires_grad=True)
