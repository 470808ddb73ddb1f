"""
title: Custom operator that gives a copy, written back by an index
description: >
  The operator returns new memory, which is what custom operators are allowed to return, and the
  program writes the rows back itself.
tags: [torch.operator, torch.mutation]
"""

import torch


@torch.library.custom_op("exportdb_gives_a_copy::every_second", mutates_args=())
def every_second(x: torch.Tensor) -> torch.Tensor:
    return x[::2].clone()


@every_second.register_fake
def _(x):
    return torch.empty_like(x[::2])


class Model(torch.nn.Module):
    def forward(self, x):
        total = x.clone()
        total[::2] = every_second(total) * 3
        return total


def inputs():
    return torch.randn(5, 3)
