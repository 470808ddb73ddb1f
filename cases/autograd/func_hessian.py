"""
title: torch.func.hessian inside forward
description: >
  Second derivatives by forward mode over reverse mode, both under vmap: three transforms, one in
  the other.
tags: [torch.autograd, torch.functional-transform]
requires: [backward, traced-derivatives]
pitfalls: [autograd/func_jacrev]
errors: [E0427, E0517]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def energy(x):
            return (x**3).sum() + x.prod()

        return torch.func.hessian(energy)(x)


def inputs():
    return torch.randn(4)
