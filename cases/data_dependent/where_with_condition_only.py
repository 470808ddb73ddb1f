"""
title: torch.where(condition) with one argument
description: >
  With a condition alone torch.where gives the places where it holds, like nonzero(as_tuple=True),
  and has a result of unknown length. With three arguments it picks values and keeps the shape.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        (places,) = torch.where(x > y)
        return places, y[places] - x[places]


def inputs():
    return torch.tensor([1.0, 5.0, 2.0, 8.0]), torch.tensor([4.0, 3.0, 2.0, 1.0])


def accepts():
    yield torch.tensor([1.0, 2.0, 3.0, 0.0]), torch.full((4,), 9.0)
    yield torch.tensor([1.0, 2.0, 3.0, 0.0]), torch.full((4,), -9.0)
    yield torch.tensor([1.0, 2.0, 3.0, 0.0]), torch.full((4,), 2.5)
