"""
title: Remainder and integer division of negative numbers
description: >
  remainder has the sign of the divisor and floor_divide rounds down, while fmod and a division
  that truncates go with C. Where both operands are positive nobody can tell them apart.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x % y, torch.fmod(x, y), x // y, torch.div(x, y, rounding_mode="trunc")


def inputs():
    return torch.tensor([-7, 7, -8, 8]), torch.tensor([3, -3, 4, -4])


def accepts():
    yield torch.tensor([-9, 9, -1, 1]), torch.tensor([2, -2, 5, -5])
    yield torch.tensor([0, -3, 11, -11]), torch.tensor([7, -1, 11, 3])
