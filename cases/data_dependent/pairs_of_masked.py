"""
title: reshape(-1, 2) of masked elements
description: >
  The elements that a mask selects are put into rows of two, which needs an even number of them.
  Whether the number is even is not known while tracing; eager raises when it is odd.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.view]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x[x > 0].reshape(-1, 2).sum(1)


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, 4.0, -5.0, 6.0, -7.0])


def accepts():
    yield torch.tensor([1.0, 2.0, -3.0, -4.0, -5.0, -6.0, -7.0])
    yield torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -7.0])
    yield torch.full((7,), -1.0)


def rejects():
    yield torch.tensor([1.0, 2.0, 3.0, -4.0, -5.0, -6.0, -7.0])
    yield torch.ones(7)
