"""
title: torch.autograd.Function that gives an input no gradient
description: >
  backward returns None for the scale, which is treated as a constant on purpose, and asks
  needs_input_grad before it computes anything. Differentiating the forward would give the scale a
  gradient.
tags: [torch.autograd, python.none]
rewrites: [autograd/scaled_by_detached]
train: true
"""

import torch


class ScaledByConstant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.save_for_backward(scale)
        return x * scale

    @staticmethod
    def backward(ctx, gradient):
        (scale,) = ctx.saved_tensors
        return (gradient * scale if ctx.needs_input_grad[0] else None), None


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return ScaledByConstant.apply(x, scale) + scale


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.rand(4, requires_grad=True)
