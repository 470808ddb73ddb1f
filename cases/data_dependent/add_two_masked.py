"""
title: Adding the rows that two masks select
description: >
  Each mask selects a number of rows that only the data knows. Adding the results asks whether the
  two numbers are equal, or whether one of them is 1 and is broadcast; nothing in the program says
  which. Eager looks at the sizes at every call.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
references: [pytorch#143495]
errors: [E0006]
rewrites: [data_dependent/add_two_masked_checked]
narrower:
  data_dependent/add_two_masked_checked: masks that select different numbers of rows, of which one is 1
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, first, second):
        return x[first] + y[second]


def masks(a, b):
    return torch.tensor(a, dtype=torch.bool), torch.tensor(b, dtype=torch.bool)


def inputs():
    return torch.randn(5, 3), torch.randn(4, 3), *masks([1, 0, 1, 0, 1], [1, 1, 0, 1])


def accepts():
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 1, 0, 1, 0], [1, 1, 0, 0])
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 0, 0, 1, 0], [1, 1, 0, 1])
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([0, 0, 0, 0, 0], [0, 0, 0, 0])


def rejects():
    yield torch.randn(5, 3), torch.randn(4, 3), *masks([1, 0, 1, 0, 1], [1, 1, 0, 0])
