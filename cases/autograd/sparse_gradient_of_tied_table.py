"""
title: Embedding with sparse=True whose table is the output layer too
description: >
  The lookup gives the table a sparse gradient, the product with it a dense one, and autograd adds
  the two. Who traces the backward meets a sum of two layouts. The rewrite leaves out sparse=True,
  which saves nothing here.
tags: [torch.autograd, torch.sparse, torch.parameter]
requires: [sparse, values]
rewrites: [autograd/dense_gradient_of_tied_table]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(9, 3, sparse=True)

    def forward(self, ids):
        return self.table(ids).tanh() @ self.table.weight.mT


dynamic_shapes = {"ids": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.arange(n) ** 2 % 7,)
