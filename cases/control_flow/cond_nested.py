"""
title: torch.cond inside a branch of torch.cond
description: >
  Three ways through the program: the second predicate is asked only when the first is false. An
  elif chain becomes a cond in the false branch of a cond.
tags: [torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def large(x):
            return x - 1

        def small(x):
            return x + 1

        def other(x):
            return torch.cond(x.sum() < -10, small, torch.tanh, (x,))

        return torch.cond(x.sum() > 10, large, other, (x,))


def inputs():
    return (torch.zeros(3, 4) + 0.5,)


def accepts():
    yield (torch.full((3, 4), 2.0),)
    yield (torch.full((3, 4), -2.0),)
    yield (torch.full((3, 4), -0.5),)
