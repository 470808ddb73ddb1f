"""
title: Bitwise operators on negative integers
description: >
  A right shift of a negative integer keeps its sign, and small integers wrap around where they
  overflow.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x >> 1, x << 3, x & y, x ^ y, ~x, (x.to(torch.int8) + 100)


def inputs():
    return torch.tensor([-7, 6, 120]), torch.tensor([3, -5, 12])


def accepts():
    yield torch.tensor([-1, 0, 27]), torch.tensor([-8, 9, 1])
