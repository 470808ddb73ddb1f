"""
title: torch.cond branch that uses a variable of the enclosing function
description: >
  The branches take no operand for `scale`: they capture it from the enclosing forward. An
  exporter has to find such captured tensors and turn them into operands of its own.
tags: [torch.cond, python.closure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        scale = x.abs().max()

        def normalize(x):
            return x / scale

        def shift(x):
            return x + scale

        return torch.cond(x.sum() > 0, normalize, shift, (x,))


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (-torch.rand(3, 4),)
    yield (torch.rand(3, 4) + 1,)
