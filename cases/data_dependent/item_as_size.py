"""
title: Value of a tensor as the size of a new tensor
description: >
  item() gives a number that is known only when the program runs, a symbol without a hint. That it
  is not negative follows from its use as a size, and has to be checked at every call.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
references: [pytorch#116336]
dims: {k: {min: 0, max: 16}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, k):
        return torch.ones(k.item(), 3)


def inputs(k=4):
    return torch.tensor(k)


def rejects():
    yield torch.tensor(-1)
