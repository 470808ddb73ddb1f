"""
title: Determinants, inverses and factors of complex matrices
description: >
  What is transposed for real numbers is conjugated as well for complex ones. Factors that are
  only unique up to a phase are multiplied again before they are compared.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a, b):
        hermitian = a @ a.mH + 3 * torch.eye(3)
        q, r = torch.linalg.qr(a)
        u, s, vh = torch.linalg.svd(a)
        low = torch.linalg.cholesky(hermitian)
        solved = torch.linalg.solve(a, b), torch.cholesky_solve(b, low)
        kept = [torch.linalg.det(a), torch.linalg.slogdet(a), torch.linalg.inv(a)]
        kept += [torch.linalg.pinv(a)]
        again = [q @ r, (u * s[:, None]) @ vh, low @ low.mH, torch.linalg.eigvalsh(hermitian)]
        again += [torch.cholesky_inverse(low)]
        triangle = torch.linalg.solve_triangular(low, b, upper=False)
        rest = [torch.linalg.matrix_exp(a / 4), torch.linalg.matrix_norm(a)]
        return solved, kept, again, triangle, s, rest


dynamic_shapes = {"a": {0: Dim("n", min=2, max=8)}, "b": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    phases = torch.polar(torch.ones(n, 3, 3), torch.randn(n, 3, 3))
    return phases + 3 * torch.eye(3), torch.randn(n, 3, 2, dtype=torch.complex64)
