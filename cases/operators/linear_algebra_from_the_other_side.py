"""
title: linalg.solve, solve_triangular and cholesky with left=False and upper=True
description: >
  left, upper and unitriangular say on which side the unknown is and which half of a matrix is
  read. The half that is not read holds other numbers here, so a kernel that reads it is wrong.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        lower = x.tril() + 3 * torch.eye(3)
        upper = x.triu() + 3 * torch.eye(3)
        positive = lower @ lower.mT
        half = positive.triu() + x.tril(-1)
        solved = (
            torch.linalg.solve(lower[0], x[0], left=False),
            torch.linalg.solve_triangular(upper, x, upper=True, left=False),
            torch.linalg.solve_triangular(x, x, upper=True, unitriangular=True),
            torch.cholesky_solve(x, torch.linalg.cholesky(positive, upper=True), upper=True),
        )
        factors = torch.linalg.cholesky(half, upper=True), torch.linalg.eigvalsh(half, UPLO="U")
        norms = (
            torch.linalg.matrix_norm(x, 1, dim=(0, 2), keepdim=True),
            torch.linalg.matrix_norm(x[0], torch.inf),
            torch.linalg.vector_norm(x, 3, dim=(0, 2), keepdim=True),
        )
        inverse = torch.linalg.pinv(positive, hermitian=True), torch.linalg.pinv(x, rtol=0.6)
        return solved, factors, norms, inverse, torch.linalg.qr(x, mode="r").R.abs()


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=4):
    return (torch.randn(n, 3, 3),)
