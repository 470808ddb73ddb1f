"""
title: Step of torch.optim.SGD with momentum inside forward
description: >
  The gradient is given and the optimizer takes its step. While torch.export traces, other tensors
  stand for the parameters; the optimizer holds the old ones, which have no gradient, and its step
  does nothing. The rewrite keeps the momentum in a buffer.
tags: [torch.parameter, torch.mutation, python.attribute]
rewrites: [autograd/momentum_in_buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))
        self.optimizer = torch.optim.SGD([self.weight], lr=0.1, momentum=0.9)

    def forward(self, gradient):
        self.weight.grad = gradient
        self.optimizer.step()
        self.weight.grad = None
        return self.weight.detach().clone()


def inputs():
    return (torch.randn(3),)
