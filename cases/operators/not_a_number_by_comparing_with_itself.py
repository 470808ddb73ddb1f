"""
title: NaN found by x == x
description: >
  NaN equals nothing, itself included: x == x marks the values that are not missing, and x / x and
  x - x are 1 and 0 only where x is finite and not 0. An optimizer that simplifies any of them is
  wrong.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        there, whole = x == x, x >= x
        ones, noughts = x / x, x - x
        return torch.where(there, x, -1.0), whole, x != x, ones, noughts, (x * 0.0).isnan()


def inputs():
    return (torch.tensor([[1.5, float("nan"), -2.0], [0.0, float("inf"), float("-inf")]]),)
