"""
title: torch.where that chooses a row index
description: >
  The index stays a tensor: torch.where picks one of two, and index_select looks the row up when
  the program runs.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        row = torch.where(x.sum() > 0, 2, 5)
        return x.index_select(0, row.reshape(1)).squeeze(0) * 3


def inputs():
    return torch.randn(6, 3).abs()


def accepts():
    yield -torch.randn(6, 3).abs()
