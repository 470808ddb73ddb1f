"""
title: Gradient of a loss with respect to an input, written out
description: >
  The derivative of tanh is 1 - tanh², so the gradient of the loss is an expression of what the loss
  computed anyway. Neither it nor the loss depends on autograd.
tags: [torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, target):
        activated = x.detach().tanh()
        error = activated - target
        gradient = 2 * error * (1 - activated**2) / error.numel()
        return error.square().mean(), gradient


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.randn(3, 4)
