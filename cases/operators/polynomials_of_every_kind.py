"""
title: 'torch.special: Chebyshev, Hermite and Laguerre polynomials of every kind, polygamma'
description: >
  The kinds of one family differ in their first step alone, so that a degree of two or more is
  needed to tell them apart.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        s = torch.special
        n = torch.arange(x.shape[-1])
        first = [s.chebyshev_polynomial_t(x, n), s.chebyshev_polynomial_u(x, n)]
        first += [s.chebyshev_polynomial_v(x, n)]
        shifted = s.shifted_chebyshev_polynomial_t(x, n), s.shifted_chebyshev_polynomial_u(x, n)
        others = [s.hermite_polynomial_h(x, n), s.hermite_polynomial_he(x, n)]
        others += [s.laguerre_polynomial_l(x, n)]
        rest = [s.chebyshev_polynomial_w(x, n), s.legendre_polynomial_p(x, n)]
        rest += [s.shifted_chebyshev_polynomial_w(x, n)]
        gammas = [torch.polygamma(2, x + 2), torch.polygamma(3, x + 2), torch.mvlgamma(x + 3, 3)]
        gammas += [s.zeta(x + 3, x + 2)]
        more = [s.shifted_chebyshev_polynomial_v(x, n), torch.mvlgamma(x + 2, 1)]
        return first, shifted, others, rest, gammas, more


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.linspace(-0.9, 0.9, 5 * n).reshape(n, 5),)
