"""
title: Fake kernel that promises the memory layout of the operator
description: >
  The fake kernel makes its result transposed in memory, as the operator does, so what tracing
  decides by the layout is right.
tags: [torch.operator, torch.fake-kernel, torch.stride]
"""

import torch


@torch.library.custom_op("exportdb_fake_kernel_same_layout::by_column", mutates_args=())
def by_column(x: torch.Tensor) -> torch.Tensor:
    return x.t().contiguous().t()


@by_column.register_fake
def _(x):
    return x.new_empty(x.shape[::-1]).t()


class Model(torch.nn.Module):
    def forward(self, x):
        columns = by_column(x * 2)
        return torch.as_strided(columns, (12,), (1,)) + columns.stride(0)


def inputs():
    return torch.randn(3, 4)
