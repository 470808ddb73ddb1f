"""
title: Fake kernel that promises the dtype of the operator
description: >
  The fake kernel names the type of its result, torch.int64, instead of taking over that of the
  input.
tags: [torch.operator, torch.fake-kernel, torch.dtype]
"""

import torch


@torch.library.custom_op("exportdb_fake_kernel_same_dtype::positive_of_row", mutates_args=())
def positive_of_row(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).sum(1)


@positive_of_row.register_fake
def _(x):
    return x.new_empty(x.shape[0], dtype=torch.int64)


class Model(torch.nn.Module):
    def forward(self, x):
        counts = positive_of_row(x)
        return torch.full((3,), 2.5, dtype=counts.dtype) * counts


def inputs():
    return torch.randn(3, 4)
