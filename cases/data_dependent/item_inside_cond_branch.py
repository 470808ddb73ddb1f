"""
title: item() inside of a branch of torch.cond
description: >
  One branch reads a number from a tensor and makes a tensor of that many ones, of which only the
  sum leaves. The symbol lives inside of the branch; the other branch has none.
tags: [torch.item, torch.unbacked-symbol, torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        def grow(x, k):
            return x + torch.ones(k.item()).sum()

        def keep(x, k):
            return x * 2

        return torch.cond(x.sum() > 0, grow, keep, (x, k))


def inputs():
    return torch.tensor([1.0, 2.0, 4.0]), torch.tensor(5)


def accepts():
    yield torch.tensor([1.0, 2.0, 4.0]), torch.tensor(0)
    yield torch.tensor([1.0, 2.0, 4.0]), torch.tensor(9)
    yield torch.tensor([-1.0, -2.0, 0.5]), torch.tensor(9)
