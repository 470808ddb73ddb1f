"""
title: Fake kernel that promises another dtype than the operator returns
description: >
  The operator counts in integers, its fake kernel says float. What tracing makes in the promised
  type is another tensor than in eager, which drops the half of 2.5 in a tensor of integers.
  torch.library.opcheck compares the two kernels and finds the difference.
tags: [torch.operator, torch.fake-kernel, torch.dtype]
requires: [values]
breaks_contract: the fake kernel returns another dtype than the operator
allow:
  L059: on the meta device eager itself runs the fake kernel, and would be the wrong judge
rewrites: [custom_operators/fake_kernel_same_dtype]
"""

import torch


@torch.library.custom_op("exportdb_fake_kernel_other_dtype::positive_of_row", mutates_args=())
def positive_of_row(x: torch.Tensor) -> torch.Tensor:
    return (x > 0).sum(1)


@positive_of_row.register_fake
def _(x):
    return x.new_empty(x.shape[0])


class Model(torch.nn.Module):
    def forward(self, x):
        counts = positive_of_row(x)
        return torch.full((3,), 2.5, dtype=counts.dtype) * counts


def inputs():
    return torch.randn(3, 4)
