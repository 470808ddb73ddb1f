"""
title: torch.cond branch that calls a nested function
description: >
  Each branch defines and calls a function of its own. The calls disappear while tracing: only
  what they compute is left in the branch.
tags: [torch.cond, python.closure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def positive(x):
            def double(y):
                return y + y

            return double(x)

        def other(x):
            def square(y):
                return y * y

            return square(x)

        return torch.cond(x.sum() > 0, positive, other, (x,))


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (-torch.rand(3, 4),)
    yield (torch.rand(3, 4) + 1,)
