"""
title: Expression of a value as a new size (torch.sym_fresh_size)
description: >
  A length is read from a tensor, and five more than it is given a symbol of its own. What was
  known of the length (that it fits) is not known of the new size, and is said again.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
dims: {length: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, length):
        n = length.item()
        torch._check(n >= 0)
        torch._check(n <= 7)
        total = torch.sym_fresh_size(n + 5)
        torch._check(total >= 0)
        torch._check(total <= 12)
        return x.narrow(0, 0, total).sum(0)


def inputs(length=3):
    return torch.randn(12, 2), torch.tensor(length)
