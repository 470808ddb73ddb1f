"""
title: Training step that takes the weight and returns the new one
description: >
  The weight is a buffer and not a parameter; the gradient is taken of a detached copy of it, and
  the buffer is written at the end.
advice: >
  Call the capture outside of autocast: under it the graph and eager round the step differently,
  and this program cannot be exported under autocast.
tags: [torch.autograd, torch.buffer, torch.mutation]
requires: [backward]
errors: [E0306]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("weight", torch.tensor([0.5, -1.5, 2.0]))

    def forward(self, x, target):
        weight = self.weight.detach().clone().requires_grad_()
        loss = ((x @ weight - target) ** 2).mean()
        (gradient,) = torch.autograd.grad(loss, weight)
        self.weight.copy_(self.weight - 0.1 * gradient)
        return loss.detach()


def inputs():
    return torch.randn(5, 3), torch.randn(5)
