"""
title: torch.func.jacrev inside forward
description: >
  The Jacobian is computed row by row with one vmapped backward. Two transforms are nested, each
  with wrappers of its own. For a function whose derivative is known, writing the Jacobian down
  needs neither.
tags: [torch.autograd, torch.functional-transform]
references: [pytorch#126882]
requires: [backward]
rewrites: [autograd/jacobian_written_out]
pitfalls: [autograd/func_jacfwd]
errors: [E0303]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        def f(x):
            return torch.tanh(weight @ x)

        return torch.func.jacrev(f)(x)


def inputs():
    return torch.randn(3), torch.randn(4, 3)
