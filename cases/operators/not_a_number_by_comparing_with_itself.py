"""
title: Missing readings found by comparing a tensor with itself
description: >
  What is not a number equals nothing, itself included: x == x marks the readings that are there,
  and x / x and x - x are 1 and 0 only where x is finite, and not 0.
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
