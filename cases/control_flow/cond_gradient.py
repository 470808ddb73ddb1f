"""
title: Gradient through torch.cond
description: >
  The gradient is that of the branch that ran: of sin for some data and of a square for other. The
  backward needs a cond of its own with the same predicate.
tags: [torch.cond, torch.autograd]
requires: [values]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))

    def forward(self, x):
        def wave(x):
            return (x * self.weight).sin()

        def square(x):
            return (x - self.weight) ** 2

        return torch.cond(x.sum() > 0, wave, square, (x,))


def inputs():
    return torch.rand(4, 3).requires_grad_()


def accepts():
    yield (-torch.rand(4, 3)).requires_grad_()
