"""
title: Linear systems solved with LU, LDL, Cholesky and QR factors
description: >
  Factors come with pivots and in packed forms that only their own solver reads. Solvers take the
  matrix on the left or right, upper or lower, plain or transposed; a backend that ignores one
  argument gives other numbers of the same shape.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch import linalg
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a, b):
        full = a @ a.mT + 4 * torch.eye(4) + a.triu(1)
        even = (full + full.mT) / 2
        lu, pivots = linalg.lu_factor(full)
        left = linalg.lu_solve(lu, pivots, b), linalg.lu_solve(lu, pivots, b, adjoint=True)
        right = linalg.lu_solve(lu, pivots, b.mT, left=False)
        permutation, lower, upper = linalg.lu(full)
        packed, swaps = linalg.ldl_factor(even)
        factor = linalg.cholesky(even)
        inverse = torch.cholesky_inverse(factor), torch.cholesky_solve(b, factor)
        parts = permutation @ lower, upper, linalg.ldl_solve(packed, swaps, b)
        return left, right, parts, inverse, linalg.solve(full, b.mT, left=False)


dynamic_shapes = {"a": None, "b": {1: Dim("n", min=1, max=16)}}


def inputs(n=3):
    return torch.randn(4, 4), torch.randn(4, n)
