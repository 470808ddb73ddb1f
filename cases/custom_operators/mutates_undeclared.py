"""
title: Custom operator that changes an argument without saying so
description: >
  The operator writes into its argument, but mutates_args is empty. An exporter that believes the
  declaration may drop, move or repeat the call. The rewrite declares what is changed.
tags: [torch.operator, torch.mutation]
breaks_contract: an operator writes into an argument that mutates_args does not name
rewrites: [custom_operators/mutates_argument_declared]
errors: [E0405]
"""

import torch


@torch.library.custom_op("exportdb_mutates_undeclared::fill_with_sum", mutates_args=())
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
