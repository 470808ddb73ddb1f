"""
title: torch.cond that returns an int, used as an index
description: >
  The branches return different Python ints. The result is one symbolic int between them, known to
  be a legal index because both are; the data decides which row it picks.
tags: [torch.cond, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        row = torch.cond(x.sum() > 0, lambda x: 1, lambda x: 3, (x,))
        return x[row] * 2


def inputs():
    return torch.rand(5, 4)


def accepts():
    yield -torch.rand(5, 4)
    yield torch.zeros(5, 4)
