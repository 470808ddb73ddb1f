"""
title: Custom operator whose gradient needs a size and a flag
description: >
  The context is filled by a function of its own, which sees the inputs of the operator: the number
  of rows, a symbol here, and the flag. The operator keeps the gradient that was registered for it.
tags: [torch.autograd, torch.operator, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_mean_as_custom_operator::sum_of_rows", mutates_args=())
def sum_of_rows(x: torch.Tensor, mean: bool) -> torch.Tensor:
    return x.sum(0)


@sum_of_rows.register_fake
def _(x, mean):
    return x.new_empty(x.shape[1])


def keep(ctx, inputs, output):
    ctx.rows, ctx.mean = inputs[0].shape[0], inputs[1]


def backward(ctx, gradient):
    if ctx.mean:
        gradient = gradient / ctx.rows
    return gradient.expand(ctx.rows, -1), None


sum_of_rows.register_autograd(backward, setup_context=keep)


class Model(torch.nn.Module):
    def forward(self, x):
        return sum_of_rows(x, True) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, requires_grad=True)
