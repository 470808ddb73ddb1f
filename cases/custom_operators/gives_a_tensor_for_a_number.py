"""
title: Custom operator that gives a number as a tensor
description: >
  The count stays a tensor of no dims, so the fake kernel knows all there is to know of it, and the
  product is computed where the data are.
tags: [torch.operator, torch.fake-kernel]
"""

import torch


@torch.library.custom_op("exportdb_gives_a_tensor_for_a_number::positives", mutates_args=())
def positives(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).sum()


@positives.register_fake
def _(x):
    return x.new_empty((), dtype=torch.int64)


class Model(torch.nn.Module):
    def forward(self, x):
        return x * positives(x)


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, 4.0, -5.0])


def accepts():
    yield torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    yield -torch.ones(5)
