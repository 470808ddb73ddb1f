"""
title: Complex numbers that are huge, tiny, or NaN in one part
description: >
  A quotient or an absolute value that is computed from squares overflows where the result does
  not. A number whose imaginary part alone is NaN counts as NaN, and the square root on either
  side of the negative real axis has a sign of its own.
tags: [torch.sweep, torch.complex]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        a, b = torch.complex(x, y), torch.complex(y + 1, x)
        roots = a.sqrt(), b.sqrt(), torch.view_as_real(a / b), a / x, a.abs(), a.angle()
        tests = a.isnan(), a.isinf(), a.isfinite(), a == b, a != a
        return roots, tests, a.sgn(), a * b.conj(), (a.conj() * 2).imag, a.mean(), a.sum(0).real


def inputs():
    return torch.randn(2, 3), torch.randn(2, 3)


def accepts():
    nan, inf = float("nan"), float("inf")
    huge = torch.tensor([[3e25, -4e25, 1.0], [1e-25, 1.0, -1.0]])
    yield huge, torch.tensor([[4e25, -3e25, -2.0], [2e-25, -0.0, -3.0]])
    yield torch.tensor([[1.0, 2.0, 0.5], [-1.0, 0.0, -2.0]]), torch.tensor([[nan, inf, -1.0]] * 2)
