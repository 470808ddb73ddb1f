"""
title: Custom operator that changes an argument in place
description: >
  The operator declares in mutates_args that it writes into its first argument, here a buffer, and
  returns nothing. The write has to reach the buffer, and what reads it afterwards must see it.
tags: [torch.operator, torch.mutation, torch.buffer]
"""

import torch


@torch.library.custom_op("exportdb_mutates_argument::accumulate", mutates_args={"total"})
def accumulate(total: torch.Tensor, x: torch.Tensor) -> None:
    total.add_(x.sum(0))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        accumulate(self.total, x)
        return x - self.total


def inputs():
    return torch.randn(3, 4)
