"""
title: torch.cond whose branches give two results of one shape
description: >
  Each branch gives a lower and an upper bound. They have the same shape and type, so nothing
  but their values says which is which.
tags: [torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def around_zero(x):
            return -x.abs(), x.abs() * 1.0001

        def around_mean(x):
            return x.mean() - x.abs() / 3, x.mean() + x.abs() / 7

        low, high = torch.cond(x.sum() > 0, around_zero, around_mean, (x,))
        return low, high, high - low


def inputs():
    return torch.rand(4, 3)


def accepts():
    yield -torch.rand(4, 3)
    yield torch.zeros(4, 3)
