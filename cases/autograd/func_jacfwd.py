"""
title: torch.func.jacfwd inside forward
description: >
  The Jacobian is computed column by column, with one tangent for each input under vmap: forward
  mode within a batch.
tags: [torch.autograd, torch.functional-transform]
requires: [traced-derivatives]
rewrites: [autograd/jacobian_written_out]
pitfalls: [autograd/func_jacrev]
errors: [E0427]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        def f(x):
            return torch.tanh(weight @ x)

        return torch.func.jacfwd(f)(x)


def inputs():
    return torch.randn(3), torch.randn(4, 3)
