"""
title: Custom operator with a fake kernel
description: >
  The operator is opaque: a capture records the call, not what it does. The fake kernel says which
  shape and dtype come out for which go in, so that tracing can go on, also with dynamic sizes.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
references: [pytorch#141545]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_with_fake_kernel::row_sums", mutates_args=())
def row_sums(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x.sum(1) * scale


@row_sums.register_fake
def _(x, scale):
    return x.new_empty(x.shape[0])


class Model(torch.nn.Module):
    def forward(self, x):
        return row_sums(x, 0.5) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
