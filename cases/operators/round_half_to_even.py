"""
title: Rounding of halves
description: >
  round takes a half to the even neighbour, not away from zero; floor, ceil and trunc differ on
  negative numbers.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.round(), x.round(decimals=1), x.floor(), x.ceil(), x.trunc()


def inputs():
    return torch.tensor([-2.5, -1.5, -0.25, 0.5, 1.5, 2.5])


def accepts():
    yield torch.tensor([-3.5, -0.5, 0.25, 3.5, 4.5, -1.05])
