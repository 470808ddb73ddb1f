"""
title: Integer division by a count that can be zero
description: >
  Integers have no infinity, so a count of zero raises in eager. A capture may raise as well; it
  may not answer with a number.
tags: [torch.operator, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, totals, counts):
        return totals // counts, totals % counts, torch.div(totals, counts, rounding_mode="trunc")


def inputs():
    return torch.tensor([7, -9, 20, 0]), torch.tensor([2, 4, -3, 5])


def rejects():
    yield torch.tensor([7, -9, 20, 0]), torch.tensor([2, 0, -3, 5])
    yield torch.tensor([0, 0, 0, 0]), torch.tensor([0, 0, 0, 0])
