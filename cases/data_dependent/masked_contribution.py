"""
title: Layer over all rows, its contribution masked
description: >
  The layer runs over every row, and what it gives for rows that are not active is set to zero
  before it is added. It costs the layer for all rows and has no size that depends on data.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(3, 3)

    def forward(self, x, active):
        return x + torch.where((active != 0)[:, None], self.linear(x), 0.0)


def inputs():
    return torch.randn(5, 3), torch.tensor([1, 0, 1, 1, 0])


def accepts():
    yield torch.randn(5, 3), torch.tensor([0, 0, 0, 0, 0])
    yield torch.randn(5, 3), torch.tensor([0, 0, 0, 0, 1])
    yield torch.randn(5, 3), torch.tensor([1, 1, 1, 1, 1])
