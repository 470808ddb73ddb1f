"""
title: Eigenvalues, singular values, matrix_exp, matrix_power and pinv
description: >
  Only results that are defined uniquely are compared: values, norms, the exponential and powers,
  a pseudoinverse and the solution of least squares.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a):
        symmetric = a + a.mT
        values = torch.linalg.eigvalsh(symmetric), torch.linalg.svdvals(a)
        powers = torch.matrix_exp(a / 4), torch.linalg.matrix_power(a, 3), torch.linalg.pinv(a)
        norms = torch.linalg.matrix_norm(a), a.norm(dim=(1, 2))
        return values, powers, norms, torch.linalg.vector_norm(a, 1, dim=2), torch.trace(a[0])


dynamic_shapes = {"a": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3, 3) + 2 * torch.eye(3),)
