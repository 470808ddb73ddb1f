"""
title: reshape of masked elements, with the number of rows computed and checked
description: >
  Half of the number is the number of rows, and torch._check says that twice the half is the
  number. Then every size of the new shape is written down and nothing is left to be inferred.
tags: [torch.data-dependent-shape, torch.unbacked-symbol, torch.view, torch.check]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        found = x[x > 0]
        pairs = found.shape[0] // 2
        torch._check(found.shape[0] == 2 * pairs)
        return found.reshape(pairs, 2).sum(1)


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, 4.0, -5.0, 6.0, -7.0])


def accepts():
    yield torch.tensor([1.0, 2.0, -3.0, -4.0, -5.0, -6.0, -7.0])
    yield torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -7.0])
    yield torch.full((7,), -1.0)


def rejects():
    yield torch.tensor([1.0, 2.0, 3.0, -4.0, -5.0, -6.0, -7.0])
    yield torch.ones(7)
