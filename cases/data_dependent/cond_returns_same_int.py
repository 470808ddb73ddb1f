"""
title: torch.cond whose branches return the same int
description: >
  Both branches return the number 2 besides a tensor. It is the same whichever branch runs, so
  using it as an index or a size needs no symbol.
tags: [torch.cond, torch.specialization]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y, row = torch.cond(x.sum() > 0, lambda x: (x + 1, 2), lambda x: (x * 3, 2), (x,))
        return y[row], torch.ones(row) * x.sum()


def inputs():
    return torch.randn(4, 3).abs()


def accepts():
    yield -torch.randn(4, 3).abs()
