"""
title: Sparse matrix as indices and values, with index_add
description: >
  Row numbers, column numbers and values are three dense buffers. The product gathers the rows of
  the other matrix, weights them and adds them up where they belong: operators of any backend.
tags: [torch.sparse, torch.buffer, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("row", torch.tensor([0, 0, 2, 2]))
        self.register_buffer("column", torch.tensor([1, 3, 0, 2]))
        self.register_buffer("value", torch.tensor([2.0, 1.0, 3.0, 4.0]))

    def forward(self, x):
        product = torch.zeros(3, x.shape[1])
        return product.index_add(0, self.row, self.value[:, None] * x[self.column]) + 1


dynamic_shapes = {"x": {1: Dim("columns", min=2, max=16)}}


def inputs(columns=6):
    return torch.randn(4, columns)
