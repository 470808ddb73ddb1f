"""
title: Gradient, value and auxiliary result by torch.autograd.grad
description: >
  The loss is computed once; torch.autograd.grad gives its gradient, and value and auxiliary
  result are at hand already.
tags: [torch.autograd]
requires: [backward]
errors: [E0303, E0306]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_()
        y = x.tanh()
        value = (y**2).sum()
        (gradient,) = torch.autograd.grad(value, x)
        return gradient, value.detach(), y.detach()


def inputs():
    return torch.randn(3, 4)
