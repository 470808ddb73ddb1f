"""
title: torch.func.grad_and_value with an auxiliary result
description: >
  One call gives the gradient, the loss and what the loss was made of. All three come out of the
  layer of wrapped tensors in which the derivative is taken, and each must depend on the input
  afterwards.
tags: [torch.autograd, torch.functional-transform]
requires: [backward]
rewrites: [autograd/grad_and_value_written_out]
pitfalls: [autograd/func_grad]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def loss(x):
            y = x.tanh()
            return (y**2).sum(), y

        gradient, (value, y) = torch.func.grad_and_value(loss, has_aux=True)(x)
        return gradient, value, y


def inputs():
    return torch.randn(3, 4)
