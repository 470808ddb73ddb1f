"""
title: Custom operator with a gradient of its own
description: >
  register_autograd says how the gradient of the operator is computed. Gradients are compared, so
  a capture that forgets the registration shows.
tags: [torch.operator, torch.autograd]
train: true
"""

import torch


@torch.library.custom_op("exportdb_with_gradient::cube", mutates_args=())
def cube(x: torch.Tensor) -> torch.Tensor:
    return x * x * x


@cube.register_fake
def _(x):
    return torch.empty_like(x)


def save(ctx, inputs, output):
    ctx.save_for_backward(inputs[0])


def backward(ctx, gradient):
    (x,) = ctx.saved_tensors
    return gradient * 3 * x * x


cube.register_autograd(backward, setup_context=save)


class Model(torch.nn.Module):
    def forward(self, x):
        return cube(x) + x


def inputs():
    return torch.randn(3, 4, requires_grad=True)
