"""
title: An energy with its derivatives by the second and third argument
description: >
  Forces are the gradient of the energy by the positions, which are the second argument of the
  function: torch.func.grad and jacrev are told so with argnums, also for several at once.
advice: >
  Call torch.autograd.grad(energy, (positions, stiffness)) on inputs that require gradients: its
  operators are traced like any others.
tags: [torch.autograd, torch.functional-transform, torch.dynamic-shape]
requires: [backward]
"""

import torch
from torch.export import Dim


def energy(charges, positions, stiffness):
    apart = positions[:, None] - positions[None]
    squares = (apart * apart).sum(-1) + 1
    return (charges[:, None] * charges / squares).sum() + stiffness * (positions**2).sum()


class Model(torch.nn.Module):
    def forward(self, charges, positions, stiffness):
        forces = torch.func.grad(energy, argnums=1)(charges, positions, stiffness)
        both, total = torch.func.grad_and_value(energy, argnums=(1, 2))(
            charges, positions, stiffness
        )
        curvature = torch.func.jacrev(energy, argnums=2)(charges, positions, stiffness)
        return -forces, both, total, curvature


n = Dim("n", min=2, max=8)
dynamic_shapes = {"charges": {0: n}, "positions": {0: n}, "stiffness": None}


def inputs(n=5):
    return torch.randn(n), torch.randn(n, 3), torch.tensor(0.5)
