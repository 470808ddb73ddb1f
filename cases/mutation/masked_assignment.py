"""
title: Assignment to the elements that a mask selects
description: >
  x[mask] = value changes as many elements as the mask has true ones, in a copy of the input. With
  a single value no size depends on data: it is the same as masked_fill.
tags: [torch.mutation]
errors: [E0009]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y[y < 0] = 0.5
        return y


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 1,)
    yield (-torch.rand(3, 4) - 1,)
