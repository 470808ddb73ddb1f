"""
title: Fake kernel that keeps the dimension of size 1
description: >
  The fake kernel says what the operator returns: a column, one number for each row. The question
  for the rank has one answer while tracing and afterwards.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
allow:
  L063: the rank of the result is the operator's, and no input changes it
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_fake_kernel_same_rank::length_of_row", mutates_args=())
def length_of_row(x: torch.Tensor) -> torch.Tensor:
    return x.norm(dim=1, keepdim=True)


@length_of_row.register_fake
def _(x):
    return x.new_empty(x.shape[0], 1)


class Model(torch.nn.Module):
    def forward(self, x):
        length = length_of_row(x)
        return length.unsqueeze(1) / 2 if length.dim() == 1 else length


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
