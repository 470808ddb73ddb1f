"""
title: torch.autograd.grad of a loss with respect to an input that requires grad
description: >
  The input itself requires a gradient, and forward returns that of its loss. The graph of the
  gradient begins outside of the traced function, at a leaf that the caller made.
tags: [torch.autograd]
rewrites: [autograd/gradient_of_loss_by_hand]
references: [pytorch#125984]
requires: [backward]
pitfalls: [autograd/func_grad]
errors: [E0303, E0306]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, target):
        loss = (x.tanh() - target).square().mean()
        (gradient,) = torch.autograd.grad(loss, x)
        return loss.detach(), gradient


def inputs():
    return torch.randn(3, 4, requires_grad=True), torch.randn(3, 4)
