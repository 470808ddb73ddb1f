"""
title: topk with k computed from the data
description: >
  k is the number of positive elements, computed inside forward and read by item(). Nothing
  outside the program knows k, so it can only be a symbol without a hint, bounded by the two
  checks.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
references: [pytorch#146990]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        k = (x > 0).sum().item()
        torch._check(k >= 0)
        torch._check(k <= x.shape[0])
        values, _ = torch.topk(x, k)
        return values


def inputs():
    return (torch.randn(100),)


def accepts():
    yield (-torch.rand(100),)  # k = 0
    yield (torch.rand(100) + 1,)  # k = 100
    yield (torch.randn(100) + 1,)
    yield (torch.cat([torch.ones(1), -torch.ones(99)]),)  # k = 1
