"""
title: nonzero inside of a branch of torch.cond
description: >
  Each branch finds a number of places that only its data knows, and reduces over them before it
  returns. The unknown size never leaves the branch.
tags: [torch.cond, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def positive(x):
            return x[x > 0].mean()

        def others(x):
            return (x <= 0).nonzero().sum().to(x.dtype)

        return torch.cond(x[0] > 0, positive, others, (x,))


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, -4.0, 5.0])


def accepts():
    yield torch.tensor([1.0, 2.0, 3.0, 4.0, 6.0])
    yield torch.tensor([-1.0, 2.0, -3.0, 4.0, 5.0])
    yield torch.tensor([-1.0, -2.0, -3.0, -4.0, -5.0])
