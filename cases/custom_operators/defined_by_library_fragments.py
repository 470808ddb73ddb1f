"""
title: Operator made with Library.define and impl
description: >
  The older spelling: a schema, a kernel for the CPU and one for meta tensors are registered in a
  library, one by one. The kernel for meta tensors says the shape while tracing.
tags: [torch.operator, torch.fake-kernel, torch.dynamic-shape]
"""

import torch
from torch.export import Dim

library = torch.library.Library("exportdb_defined_by_library_fragments", "DEF")
library.define("pairs(Tensor x, int gap=1) -> Tensor")


def pairs(x, gap=1):
    return x[gap:] - x[:-gap]


def pairs_of_meta(x, gap=1):
    return x.new_empty((x.shape[0] - gap, *x.shape[1:]))


library.impl("pairs", pairs, "CompositeExplicitAutograd")
library.impl("pairs", pairs_of_meta, "Meta")


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.exportdb_defined_by_library_fragments.pairs(x, 2) * 3


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}}


def inputs(n=7):
    return torch.randn(n, 3)
