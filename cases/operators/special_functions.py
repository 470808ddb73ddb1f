"""
title: "Special functions: erf, gamma, Bessel and zeta"
description: >
  They come from long polynomials, one for each part of the line, so that a backend may be right
  near zero and wrong elsewhere, or have no kernel at all.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch import special
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        p = x.sigmoid()
        errors = x.erf(), x.erfc(), (p * 1.6 - 0.8).erfinv(), special.ndtr(x), special.ndtri(p)
        gammas = p.lgamma(), p.digamma(), torch.polygamma(1, p), torch.mvlgamma(p + 3, 2)
        return errors, gammas, x.i0(), special.i1(x), special.zeta(p + 2, p)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)


def accepts():
    yield (torch.randn(4, 3) * 6,)
