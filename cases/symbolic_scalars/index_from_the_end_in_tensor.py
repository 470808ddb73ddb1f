"""
title: Row counted from the end by an index in a tensor
description: >
  n - 1 - i is the row that ~i means. As a tensor of one number it is an input of index_select,
  so that nobody has to know while tracing whether it lies within the rows.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        index = torch.full((1,), n - 1 - n // 2)
        return x + x.index_select(0, index)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
