"""
title: erfc, erfcx, log_ndtr, i0e and gammaincc in the tails
description: >
  Far from the middle a probability is so small that 1 - erf(x) has no digits left, while erfc(x)
  still has all of them. The logarithms show it.
tags: [torch.sweep]
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
