"""
title: Matrix converted to sparse before a product
description: >
  to_sparse keeps the elements that are not zero, so how many it keeps is data. The product with a
  dense matrix is dense again. The rewrite multiplies the matrix as it is.
tags: [torch.sparse, torch.data-dependent-shape]
requires: [values, sparse]
rewrites: [operators/dense_neighbours]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, adjacency, x):
        return torch.sparse.mm(adjacency.to_sparse(), x) + 1


def inputs():
    return torch.tensor([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0], [0.0, 0.0, 0.5]]), torch.randn(3, 4)


def accepts():
    yield torch.eye(3), torch.randn(3, 4)
    yield torch.zeros(3, 3), torch.randn(3, 4)
    yield torch.full((3, 3), 0.5), torch.randn(3, 4)
