"""
title: Last dimension as -1 in dynamic_shapes
description: >
  Tensors may be indexed from the end, so -1 looks right for the last dimension. A tool that
  compares the keys of the specification with 0, 1, 2 finds no such dimension and may pass over
  the key: the size then silently becomes a constant. Write the number of the dimension.
tags: [torch.dynamic-shape, torch.specialization]
rewrites: [dynamic_shapes/specification_of_last_dimension]
references: [pytorch#184837]
errors: [E0104]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.cumsum(-1) / x.shape[-1]


dynamic_shapes = {"x": {-1: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(3, n)
