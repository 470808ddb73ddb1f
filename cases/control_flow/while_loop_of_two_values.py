"""
title: while_loop that carries two values, each made of the other
description: >
  Both values of the next turn are made of those of the last one, as in Euclid's algorithm.
  Where the condition does not hold at once the first values come out.
tags: [torch.while-loop]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, a, b, x):
        def unfinished(a, b, x):
            return b > 0

        def step(a, b, x):
            return b.clone(), a % b, x * 0.5 + a

        return torch.while_loop(unfinished, step, (a, b, x))


def inputs():
    return torch.tensor(84), torch.tensor(36), torch.randn(3)


def accepts():
    yield torch.tensor(7), torch.tensor(0), torch.ones(3)
    yield torch.tensor(1), torch.tensor(1), torch.ones(3)
    yield torch.tensor(6765), torch.tensor(4181), torch.randn(3)
