"""
title: while_loop whose factor and limit are inputs that it does not change
description: >
  What the body and the condition read and do not change are tensors from outside of the loop,
  others in every call.
tags: [torch.while-loop, python.closure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, factor, limit):
        def below(count, x):
            return (x.sum() < limit) & (count < 20)

        def grow(count, x):
            return count + 1, x * factor

        return torch.while_loop(below, grow, (torch.tensor(0), x.abs()))


def inputs():
    return torch.rand(3) + 1, torch.tensor(1.5), torch.tensor(50.0)


def accepts():
    yield torch.ones(3), torch.tensor(2.0), torch.tensor(20.0)
