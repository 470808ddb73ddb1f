"""
title: torch.func.grad inside forward
description: >
  The energy is a function, and torch.func.grad turns it into the function of its gradient. While
  it runs, x is wrapped in a tensor that tracks this gradient; an exporter that does not see
  through the wrapper takes it for a constant. The rewrite calls autograd.grad,
  which raises where the caller has turned gradients off.
tags: [torch.autograd, torch.functional-transform]
requires: [backward]
references: [pytorch#153063]
rewrites: [autograd/grad_in_forward]
errors: [E0302, E0310, E0312, E0511]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def energy(x):
            return (x**3).sum()

        return torch.func.grad(energy)(x)


def inputs():
    return torch.randn(3, 4)
