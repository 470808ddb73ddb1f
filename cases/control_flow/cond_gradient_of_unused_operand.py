"""
title: Gradient of a torch.cond operand that one branch does not use
description: >
  Only one branch uses the parameter. When the other runs, the parameter still is an operand of
  the cond and gets a gradient of zeros, where an if in Python would leave it without one.
tags: [torch.cond, torch.autograd, torch.parameter]
requires: [values]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))

    def forward(self, x):
        def gated(x):
            return x * self.gate

        def plain(x):
            return x.tanh()

        return torch.cond(x.sum() > 0, gated, plain, (x,))


def inputs():
    return torch.rand(4, 3).requires_grad_()


def accepts():
    yield (-torch.rand(4, 3)).requires_grad_()
