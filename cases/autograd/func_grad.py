"""
title: torch.func.grad inside forward
description: >
  The energy is a function, and torch.func.grad turns it into the function of its gradient. The
  derivative is made of operators like everything else.
tags: [torch.autograd, torch.functional-transform]
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def energy(x):
            return (x**3).sum()

        return torch.func.grad(energy)(x)


def inputs():
    return torch.randn(3, 4)
