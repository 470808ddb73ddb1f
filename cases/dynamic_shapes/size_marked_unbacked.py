"""
title: Size of an input marked unbacked (mark_unbacked)
description: >
  The mark on the example asks for a size about which nothing is assumed, not even that it is no 1,
  so a question about it has no answer while tracing. A way of capturing that does not read the mark
  takes the size of the example. The rewrite lets torch.cond ask.
tags: [torch.dynamic-shape, torch.unbacked-symbol, torch.zero-one, python.control-flow]
dims: {n: {min: 1, max: 16}}
rewrites: [dynamic_shapes/branch_at_size_one_cond]
errors: [E0001]
"""

import torch
from torch._dynamo.decorators import mark_unbacked


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100


def inputs(n=5):
    x = torch.randn(n)
    mark_unbacked(x, 0)
    return (x,)
