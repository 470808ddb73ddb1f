"""
title: squeeze() that removes a batch of one
description: >
  squeeze() without a dim removes every dimension of size 1, in eager a batch of one as well.
  Tracing takes the symbolic batch to be at least 2 and believes that it is still there, so what
  is read from the shape afterwards is another size than in eager. Name the dimension to remove.
tags: [torch.dynamic-shape, torch.zero-one, torch.view]
rewrites: [dynamic_shapes/squeeze_of_named_dimension]
allow:
  L052: a batch of one stays a batch, which is what was meant
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.squeeze()
        return y / y.shape[0]


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=16)}}


def inputs(batch=5):
    return torch.randn(batch, 1, 3)
