"""
title: Fake kernel registered with torch.library.impl_abstract
description: >
  impl_abstract is the name that register_fake had until torch 2.4. Libraries that kept it go on to
  work, with a warning: it registers the same kernel, here of an operator that counts in the first
  half of the rows.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
"""

import torch
from torch.export import Dim

torch.library.define("exportdb_impl_abstract::positive_of_half", "(Tensor x) -> Tensor")


@torch.library.impl("exportdb_impl_abstract::positive_of_half", "default")
def _(x):
    return (x[: x.shape[0] // 2] > 0).sum(1)


@torch.library.impl_abstract("exportdb_impl_abstract::positive_of_half")
def _(x):
    return x.new_empty(x.shape[0] // 2, dtype=torch.int64)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_impl_abstract.positive_of_half(x) * 2


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
