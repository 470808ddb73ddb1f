"""
title: torch.autograd.Function with setup_context, under vmap
description: >
  The forward takes no context, setup_context keeps what backward needs, and
  generate_vmap_rule=True lets vmap map both. The function is applied to one row at a time.
tags: [torch.autograd, torch.functional-transform]
rewrites: [autograd/cube_of_batch_as_operator]
train: true
errors: [E0417, E0423]
"""

import torch


class Cube(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, weight):
        return (x**3 * weight).sum()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, gradient):
        x, weight = ctx.saved_tensors
        return gradient * x * weight, gradient * x**3


class Model(torch.nn.Module):
    def forward(self, x, weight):
        return torch.vmap(Cube.apply, in_dims=(0, None))(x, weight)


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.randn(4, requires_grad=True)
