"""
title: Fake kernel that forgets a dimension of the result
description: >
  The operator keeps the summed dimension with size 1, its fake kernel drops it. The program goes
  by the rank that the fake kernel promises: a result with one dimension is a row, one with two is
  a column. torch.library.opcheck compares the two kernels and finds the difference.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
requires: [values]
breaks_contract: the fake kernel returns a dimension less than the operator
allow:
  L059: on the meta device eager itself runs the fake kernel, and would be the wrong judge
  L063: the rank of the result is the operator's, and no input changes it
rewrites: [custom_operators/fake_kernel_same_rank]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_fake_kernel_other_rank::length_of_row", mutates_args=())
def length_of_row(x: torch.Tensor) -> torch.Tensor:
    return x.norm(dim=1, keepdim=True)


@length_of_row.register_fake
def _(x):
    return x.new_empty(x.shape[0])


class Model(torch.nn.Module):
    def forward(self, x):
        length = length_of_row(x)
        return length.unsqueeze(1) / 2 if length.dim() == 1 else length


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
