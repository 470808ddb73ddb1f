"""
title: Training step with gradient and update inside forward
description: >
  One step of gradient descent: the loss, its gradient with respect to the parameter, and the
  update in place under no_grad. The parameter is changed after the call, and called twice the
  loss is smaller.
tags: [torch.autograd, torch.parameter, torch.mutation]
references: [pytorch#159623]
requires: [backward]
rewrites: [autograd/training_step_returns_update]
pitfalls: [autograd/func_grad]
errors: [E0306]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))

    def forward(self, x, target):
        loss = ((x @ self.weight - target) ** 2).mean()
        (gradient,) = torch.autograd.grad(loss, self.weight)
        with torch.no_grad():
            self.weight -= 0.1 * gradient
        return loss.detach()


def inputs():
    return torch.randn(5, 3), torch.randn(5)
