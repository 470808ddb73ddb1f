"""
title: Fake kernel that derives its size from the input
description: >
  The size of the result is taken from the input, so it stays symbolic, and what is built on it
  later follows every size.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_fake_kernel_right_size::row_sums", mutates_args=())
def row_sums(x: torch.Tensor) -> torch.Tensor:
    return x.sum(1)


@row_sums.register_fake
def _(x):
    return x.new_empty(x.shape[0])


class Model(torch.nn.Module):
    def forward(self, x):
        sums = row_sums(x)
        return torch.ones(sums.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
