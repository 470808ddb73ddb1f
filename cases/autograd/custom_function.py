"""
title: torch.autograd.Function with a backward of its own
description: >
  The forward clips, the backward passes the gradient through unclipped (a straight-through
  estimator). A capture that only records the forward operators computes the gradient of clipping
  instead: gradients are compared here. A custom operator keeps a gradient of its own
  (custom_operators/with_gradient).
tags: [torch.autograd]
rewrites: [autograd/gradient_passed_by_detach]
train: true
"""

import torch


class StraightThrough(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(-1, 1)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Model(torch.nn.Module):
    def forward(self, x):
        return StraightThrough.apply(x) * 2


def inputs():
    return torch.full((3, 4), 2.0, requires_grad=True)
