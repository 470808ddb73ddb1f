"""
title: Gradient of a gradient inside forward, create_graph=True
description: >
  The first gradient is kept differentiable, and the second goes through it: a gradient penalty,
  or the curvature of an energy. The operators of the first backward are traced like any others.
tags: [torch.autograd]
requires: [backward]
pitfalls: [autograd/func_hessian]
errors: [E0306]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_()
        energy = (x**3).sum()
        (force,) = torch.autograd.grad(energy, x, create_graph=True)
        (curvature,) = torch.autograd.grad(force.sum(), x)
        return force.detach(), curvature


def inputs():
    return torch.randn(3, 4)
