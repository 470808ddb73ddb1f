"""
title: torch.autograd.grad of a torch.autograd.Function
description: >
  The gradient within forward is taken by torch.autograd.grad, which runs the function's own
  backward while tracing; what that computes is what the graph holds.
tags: [torch.autograd]
requires: [backward]
errors: [E0306]
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
        x = x.detach().requires_grad_()
        loss = (StraightThrough.apply(x) * weight).sum()
        (gradient,) = torch.autograd.grad(loss, x)
        return gradient


def inputs():
    return torch.randn(3, 4) * 3, torch.randn(4)
