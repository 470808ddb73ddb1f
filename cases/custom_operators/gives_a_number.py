"""
title: Custom operator that gives a number
description: >
  The operator counts positive elements and gives an int. For a tracer that is a number it cannot
  know, as with item(); its fake kernel says so with a new symbol. What is computed with it must
  not keep the count of the example.
tags: [torch.operator, torch.fake-kernel, torch.unbacked-symbol]
requires: [values]
rewrites: [custom_operators/gives_a_tensor_for_a_number]
"""

import torch


@torch.library.custom_op("exportdb_gives_a_number::positives", mutates_args=())
def positives(x: torch.Tensor) -> int:
    return int((x > 0).sum())


@positives.register_fake
def _(x):
    return torch.library.get_ctx().new_dynamic_size()


class Model(torch.nn.Module):
    def forward(self, x):
        return x * positives(x)


def inputs():
    return torch.tensor([1.0, -2.0, 3.0, 4.0, -5.0])


def accepts():
    yield torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0])
    yield -torch.ones(5)
