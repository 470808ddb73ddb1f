"""
title: while_loop whose result is cast back to the dtype it began with
description: >
  Half of a whole number is a float, and while_loop takes no value that comes back in another dtype.
  The body rounds towards zero and converts, so each round begins with integers again.
tags: [torch.while-loop, torch.dtype]
requires: [values]
"""

import torch
from torch._higher_order_ops import while_loop


class Model(torch.nn.Module):
    def forward(self, x):
        def any_large(x, rounds):
            return (x.abs() > 3).any()

        def halved(x, rounds):
            return (x / 2).to(x.dtype), rounds + 1

        return while_loop(any_large, halved, (x, torch.zeros((), dtype=torch.int64)))


def inputs():
    return torch.tensor([[9, -13, 2], [0, 7, -6]])


def accepts():
    yield torch.tensor([[1, -1, 2], [0, 3, -3]])
    yield torch.tensor([[100, -1, 2], [0, 3, -77]])
