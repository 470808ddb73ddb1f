"""
title: linalg.pinv, cond, vander, matrix norms and multi_dot
description: >
  More readings than unknowns are fitted with the pseudoinverse, and norms and the condition
  number say how far to trust the fit. multi_dot may multiply in any order; the result must not
  depend on it.
tags: [torch.sweep, torch.operator]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch import linalg


class Model(torch.nn.Module):
    def forward(self, x, y):
        rows = torch.linalg.vander(x, N=3)
        fit = linalg.pinv(rows) @ y
        same = linalg.pinv(rows.mT @ rows, hermitian=True)
        trust = linalg.cond(rows, 2), linalg.norm(rows, "fro"), linalg.matrix_norm(rows, "nuc")
        chain = linalg.multi_dot([rows.mT, rows, fit])
        lengths = linalg.vecdot(y, y * 2, dim=0), linalg.norm(rows, float("inf"), dim=1)
        return fit, same, trust, chain, lengths, torch.vander(x, 3, increasing=True)


def inputs():
    return torch.linspace(-1, 1, 7) + torch.randn(7) / 50, torch.randn(7, 2)


def accepts():
    yield torch.linspace(-2, 2, 7), torch.randn(7, 2)
