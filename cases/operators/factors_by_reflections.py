"""
title: geqrf, householder_product, ormqr and lu_unpack
description: >
  Factorisations are stored packed: a triangle above, reflections or multipliers below. What
  multiplies by them without unpacking takes a side and a transposition, and a norm may be
  computed in a wider dtype or keep its dimension.
tags: [torch.sweep]
requires: [values]
tolerance: {rtol: 1.0e-4, atol: 1.0e-4}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        packed, scales = torch.geqrf(x)
        basis = torch.linalg.householder_product(packed, scales)
        turned = torch.ormqr(packed, scales, y, left=True, transpose=True)
        behind = torch.ormqr(packed, scales, y.t(), left=False)
        square = x.t() @ x + 2 * torch.eye(3)
        p, lower, upper = torch.lu_unpack(*torch.linalg.lu_factor(square), unpack_pivots=True)
        inverse = torch.cholesky_inverse(torch.linalg.cholesky(square, upper=True), upper=True)
        solved = torch.linalg.tensorsolve(square.reshape(3, 3), y[:3, 0]), torch.linalg.pinv(x)
        rank = torch.linalg.matrix_rank(x[:, :1] * x[:1]), torch.linalg.matrix_rank(x, tol=100.0)
        norms = (
            torch.linalg.norm(x, 1, (0, 1), keepdim=True, dtype=torch.float64),
            torch.linalg.matrix_norm(x, "fro", keepdim=True, dtype=torch.float64),
            torch.linalg.norm(x, dim=0, keepdim=True),
        )
        return basis, turned, behind, p, lower, upper, inverse, solved, rank, norms


def inputs():
    return torch.randn(5, 3) + torch.eye(5, 3), torch.randn(5, 2)
