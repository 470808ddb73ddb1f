"""
title: Fake kernel that promises another memory layout than the operator returns
description: >
  The operator returns its result transposed in memory, its fake kernel says contiguous. Whatever is
  decided by the layout while tracing, here the order of the elements in memory, is decided for
  another tensor. torch.library.opcheck compares the two kernels and finds the difference.
tags: [torch.operator, torch.fake-kernel, torch.stride]
requires: [values]
breaks_contract: the fake kernel returns other strides than the operator
allow:
  L059: on the meta device eager itself runs the fake kernel, and would be the wrong judge
rewrites: [custom_operators/fake_kernel_same_layout]
"""

import torch


@torch.library.custom_op("exportdb_fake_kernel_other_layout::by_column", mutates_args=())
def by_column(x: torch.Tensor) -> torch.Tensor:
    return x.t().contiguous().t()


@by_column.register_fake
def _(x):
    return x.new_empty(x.shape)


class Model(torch.nn.Module):
    def forward(self, x):
        columns = by_column(x * 2)
        return torch.as_strided(columns, (12,), (1,)) + columns.stride(0)


def inputs():
    return torch.randn(3, 4)
