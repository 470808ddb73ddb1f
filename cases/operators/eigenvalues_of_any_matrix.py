"""
title: Eigenvalues of matrices that are not symmetric, factors of indefinite ones
description: >
  Eigenvalues come in no order and may be complex, so their magnitudes are sorted before they
  are compared.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a, b):
        square = a.mT @ a + torch.tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 1.0], [-3.0, 0.0, 0.0]])
        values = [torch.linalg.eigvals(square).abs().sort(-1)]
        values += [torch.linalg.eig(square).eigenvalues.real.sort(-1)]
        even = a.mT @ a - torch.eye(3)
        factor, pivots = torch.linalg.ldl_factor(even, hermitian=True)
        solved = torch.linalg.ldl_solve(factor, pivots, b[..., :3, :], hermitian=True)
        triangle = torch.linalg.solve_triangular(
            even.triu(), b[..., :3, :], upper=True, unitriangular=True
        )
        rest = [torch.linalg.solve(square, b[..., :3, :].mT, left=False)]
        rest += [torch.linalg.cond(square)]
        return values, solved, triangle, rest


dynamic_shapes = {"a": {0: Dim("n", min=2, max=8)}, "b": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return torch.randn(n, 5, 3) + 2 * torch.eye(5, 3), torch.randn(n, 5, 2)
