"""
title: torch.cond with a tensor as predicate
description: >
  torch.cond takes a boolean tensor, two functions and their operands, and keeps both functions in
  the graph. Which one runs is decided by the data of each call.
tags: [torch.cond]
requires: [values]
errors: [E0502]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def positive(x):
            return x.sin()

        def other(x):
            return x.cos()

        return torch.cond(x.sum() > 0, positive, other, (x,))


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 1,)
    yield (-torch.rand(3, 4),)
    yield (torch.zeros(3, 4),)
