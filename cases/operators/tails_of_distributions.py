"""
title: "Logarithms of tails: erfc, erfcx, log_ndtr and scaled Bessel functions"
description: >
  Far from the middle a share is too small to tell from nothing unless it is computed by itself:
  one less erf has no digits left where erfc still has all. Their logarithms show it.
tags: [torch.operator]
"""

import torch
from torch import special


class Model(torch.nn.Module):
    def forward(self, x):
        tails = special.erfc(x).log(), special.erfcx(x), special.log_ndtr(-x)
        scaled = special.i0e(x).log(), special.i1e(x).log(), special.i0(x).log()
        near = special.sinc(x), special.expit(-x).log(), special.softmax(x * 9, 0).log()
        powers = special.exp2(-x).log2(), special.log1p(x.exp()), special.expm1(-x)
        ordinary = special.gammaln(x), special.psi(x), special.multigammaln(x + 1, 2)
        shares = special.gammainc(x, x), special.gammaincc(x, x), special.xlogy(x, x)
        return tails, scaled, near, powers, ordinary, shares


def inputs():
    return (torch.tensor([0.25, 1.0, 2.5, 3.8, 4.6]),)
