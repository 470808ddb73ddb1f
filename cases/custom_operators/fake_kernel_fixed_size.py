"""
title: Fake kernel that promises the example's size
description: >
  The fake kernel was written with one example in mind: it returns a tensor of a fixed size. What
  is built on that size inside the graph is wrong for every other one. The rewrite derives the
  size from the input.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
requires: [values]
breaks_contract: the fake kernel returns another size than the operator
allow:
  L056: the case is about a size that was written down from the example
  L059: on the meta device eager itself runs the fake kernel, and would be the wrong judge
rewrites: [custom_operators/fake_kernel_right_size]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_fake_kernel_fixed_size::row_sums", mutates_args=())
def row_sums(x: torch.Tensor) -> torch.Tensor:
    return x.sum(1)


@row_sums.register_fake
def _(x):
    return x.new_empty(5)


class Model(torch.nn.Module):
    def forward(self, x):
        sums = row_sums(x)
        return torch.ones(sums.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
