"""
title: Custom operator without a fake kernel
description: >
  Tracing works on tensors without data, and nobody said what the operator returns for them. The
  rewrite registers a fake kernel.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
requires: [values]
rewrites: [custom_operators/with_fake_kernel]
pitfalls: [custom_operators/fake_kernel_fixed_size]
references: [pytorch#141545]
errors: [E0404]
"""

import torch
from torch.export import Dim


@torch.library.custom_op("exportdb_without_fake_kernel::row_sums", mutates_args=())
def row_sums(x: torch.Tensor, scale: float) -> torch.Tensor:
    return x.sum(1) * scale


class Model(torch.nn.Module):
    def forward(self, x):
        return row_sums(x, 0.5) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
