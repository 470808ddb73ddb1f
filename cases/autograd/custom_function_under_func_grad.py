"""
title: torch.func.grad of a torch.autograd.Function
description: >
  The function has a backward of its own, a straight-through estimator, and torch.func.grad is
  asked for its gradient within forward. A tracer that writes the forward out as plain operators
  differentiates these instead, and the result is the gradient of clipping.
  The rewrite raises where the caller has turned gradients off.
tags: [torch.autograd, torch.functional-transform]
requires: [backward]
references: [pytorch#193279]
rewrites: [autograd/custom_function_under_autograd_grad]
errors: [E0417]
"""

import torch


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.clamp(-1, 1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Model(torch.nn.Module):
    def forward(self, x, weight):
        def loss(x):
            return (StraightThrough.apply(x) * weight).sum()

        return torch.func.grad(loss)(x)


def inputs():
    return torch.randn(3, 4) * 3, torch.randn(4)
