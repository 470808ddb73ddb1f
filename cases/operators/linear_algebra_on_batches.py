"""
title: "Linear algebra on batches: solve, inverse, determinant, Cholesky, QR"
description: >
  A batch of matrices is solved one by one. A decomposition is defined up to signs, which is why
  the products are compared here, not the factors.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a, b):
        a = a @ a.mT + 2 * torch.eye(3)
        lower = torch.linalg.cholesky(a)
        q, r = torch.linalg.qr(a)
        solved = torch.linalg.solve(a, b), torch.cholesky_solve(b, lower), torch.linalg.inv(a)
        triangle = torch.linalg.solve_triangular(lower, b, upper=False)
        return solved, triangle, q @ r, torch.linalg.det(a), torch.linalg.slogdet(a), lower


n = Dim("n", min=1, max=16)
dynamic_shapes = {"a": {0: n}, "b": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3, 3), torch.randn(n, 3, 2)
