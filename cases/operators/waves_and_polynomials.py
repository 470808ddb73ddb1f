"""
title: 'torch.special: Bessel functions and orthogonal polynomials'
description: >
  Spherical and modified Bessel functions, and polynomials by their degree, which is a tensor or a
  number. Most of these functions have kernels and no decomposition.
tags: [torch.sweep]
tolerance: {rtol: 1.0e-4, atol: 1.0e-5}
"""

import torch
from torch import special


class Model(torch.nn.Module):
    def forward(self, x, degrees):
        far = x.abs() + 0.5
        waves = special.bessel_j0(x), special.bessel_j1(x), special.bessel_y0(far)
        more = special.bessel_y1(far), special.spherical_bessel_j0(x), special.airy_ai(x)
        grown = special.modified_bessel_i0(x), special.modified_bessel_i1(x)
        shrunk = special.modified_bessel_k0(far), special.modified_bessel_k1(far)
        scaled = special.scaled_modified_bessel_k0(far), special.scaled_modified_bessel_k1(far)
        first = special.chebyshev_polynomial_t(x, degrees), special.chebyshev_polynomial_t(x, 3)
        others = special.hermite_polynomial_h(x, degrees), special.hermite_polynomial_he(x, 2)
        last = special.laguerre_polynomial_l(x, 3), special.legendre_polynomial_p(x, degrees)
        shifted = special.shifted_chebyshev_polynomial_t(x.abs(), degrees)
        return waves, more, grown, shrunk, scaled, first, others, last, shifted


def inputs():
    return torch.linspace(-0.9, 0.95, 10).reshape(2, 5), torch.arange(5.0)
