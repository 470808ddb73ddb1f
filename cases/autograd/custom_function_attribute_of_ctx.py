"""
title: torch.autograd.Function that keeps numbers on its context
description: >
  A number of rows and a flag are kept as attributes of ctx. The backward is that of the mean, on
  purpose: a capture that differentiates the recorded sum gives a gradient that is too large by
  the number of rows, a size that is symbolic here.
tags: [torch.autograd, torch.dynamic-shape, python.attribute]
rewrites: [autograd/mean_as_custom_operator]
train: true
"""

import torch
from torch.export import Dim


class SumOfRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, mean):
        ctx.rows = x.shape[0]
        ctx.mean = mean
        return x.sum(0)

    @staticmethod
    def backward(ctx, gradient):
        if ctx.mean:
            gradient = gradient / ctx.rows
        return gradient.expand(ctx.rows, -1), None


class Model(torch.nn.Module):
    def forward(self, x):
        return SumOfRows.apply(x, True) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, requires_grad=True)
