"""
title: Sparse matrix in compressed rows (CSR) times a matrix
description: >
  The matrix is kept in compressed rows as an attribute of the module and multiplied with a dense
  one. A capture has to carry three tensors for it, or has no place for it at all.
tags: [torch.sparse, torch.dynamic-shape]
requires: [sparse, values]
rewrites: [operators/matrix_by_gathered_rows]
errors: [E0617]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        dense = torch.tensor([[0.0, 2.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0], [3.0, 0.0, 4.0, 0.0]])
        self.matrix = dense.to_sparse_csr()

    def forward(self, x):
        return self.matrix @ x + 1


dynamic_shapes = {"x": {1: Dim("columns", min=2, max=16)}}


def inputs(columns=6):
    return torch.randn(4, columns)
