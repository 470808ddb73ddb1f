"""
title: torch.autograd.grad with grad_outputs
description: >
  The result is not a scalar, so the caller says how each of its elements counts. Everything is
  done with ordinary tensors and operators.
tags: [torch.autograd]
requires: [backward]
errors: [E0306]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        x = x.detach().requires_grad_()
        value = torch.sin(x)
        (gradient,) = torch.autograd.grad(value, x, grad_outputs=weight)
        return value.detach(), gradient


def inputs():
    return torch.randn(4), torch.randn(4)
