"""
title: Custom operator with a gradient, written for a whole batch
description: >
  The operator takes all rows at once, so no transform has to map it, and the gradient that was
  registered for it sums over the rows what they share.
tags: [torch.autograd, torch.operator]
train: true
"""

import torch


@torch.library.custom_op("exportdb_cube_of_batch_as_operator::cube", mutates_args=())
def cube(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return (x**3 * weight).sum(1)


@cube.register_fake
def _(x, weight):
    return x.new_empty(x.shape[0])


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


def backward(ctx, gradient):
    x, weight = ctx.saved_tensors
    rows = gradient[:, None]
    return rows * x * weight, (rows * x**3).sum(0)


cube.register_autograd(backward, setup_context=keep)


class Model(torch.nn.Module):
    def forward(self, x, weight):
        return cube(x, weight)


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
