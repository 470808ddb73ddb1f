"""
title: Custom operator whose output size depends on data
description: >
  The fake kernel cannot know how many elements come out. It asks for a new symbol with
  new_dynamic_size, which stands for a size known only at run time.
tags: [torch.operator, torch.fake-kernel, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


@torch.library.custom_op("exportdb_data_dependent_size::positive", mutates_args=())
def positive(x: torch.Tensor) -> torch.Tensor:
    return x[x > 0]


@positive.register_fake
def _(x):
    return x.new_empty(torch.library.get_ctx().new_dynamic_size())


class Model(torch.nn.Module):
    def forward(self, x):
        return positive(x) * 2


def inputs():
    return torch.randn(20)


def accepts():
    yield -torch.rand(20)  # none
    yield torch.rand(20) + 1  # all
    yield torch.cat([torch.ones(1), -torch.ones(19)])  # one
