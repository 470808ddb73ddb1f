"""
title: view with the number of rows from a tensor
description: >
  Twelve elements are arranged in as many rows as a tensor says. view needs the product of the new
  sizes to be twelve; the second size is computed by division, and the check says that the
  division leaves no remainder.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
references: [pytorch#153174]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, rows):
        n = rows.item()
        torch._check(n >= 1)
        torch._check(n * (12 // n) == 12)
        return x.view(n, 12 // n) * 2


def inputs():
    return torch.randn(12), torch.tensor(3)


def accepts():
    yield torch.randn(12), torch.tensor(1)
    yield torch.randn(12), torch.tensor(4)
    yield torch.randn(12), torch.tensor(12)


def rejects():
    yield torch.randn(12), torch.tensor(5)
    yield torch.randn(12), torch.tensor(0)
    yield torch.randn(12), torch.tensor(-3)
