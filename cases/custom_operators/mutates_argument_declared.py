"""
title: Custom operator with all its writes declared
description: >
  mutates_args names the argument that the operator writes into. The call counts for its effect,
  even though its result is not used.
tags: [torch.operator, torch.mutation]
"""

import torch


@torch.library.custom_op("exportdb_mutates_argument_declared::fill_with_sum", mutates_args={"out"})
def fill_with_sum(out: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    out.copy_(x.sum(0))
    return x.mean()


@fill_with_sum.register_fake
def _(out, x):
    return x.new_empty(())


class Model(torch.nn.Module):
    def forward(self, x):
        out = torch.zeros(4)
        fill_with_sum(out, x)
        return out + 1


def inputs():
    return torch.randn(3, 4)
