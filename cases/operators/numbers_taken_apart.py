"""
title: frexp, ldexp, copysign, heaviside, nextafter and signbit
description: >
  These operators look at the bits of a number, so minus zero, NaN and infinity matter: signbit
  sees a minus zero where a comparison does not, and fmax skips NaN where maximum does not.
tags: [torch.sweep]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y, k):
        mantissa, exponent = torch.frexp(x)
        again = torch.ldexp(mantissa, exponent), torch.ldexp(x, k), torch.nextafter(x, y) - x
        signs = torch.copysign(y, x), torch.signbit(x), x.sgn(), torch.heaviside(x, y)
        extremes = torch.fmax(x, y), torch.fmin(x, y), torch.maximum(x, y), torch.minimum(x, y)
        tests = torch.isposinf(y), torch.isneginf(y), x.isnan(), torch.isclose(x, y, 0.1, 0.5, True)
        truths = torch.logical_xor(x, y > 0), torch.logical_xor(k, k - 2), x.isfinite() ^ (k > 0)
        whole = torch.gcd(k, k * 0 + 12), torch.lcm(k, k * 0 - 6), torch.float_power(k, 2)
        return mantissa, exponent, again, signs, extremes, tests, truths, whole


def inputs():
    x = torch.tensor([-0.0, 0.0, 1.5, -3.25, 8.0, -0.0])
    y = torch.tensor([2.0, 0.25, float("nan"), float("inf"), -float("inf"), -1.0])
    return x, y, torch.tensor([4, -8, 0, 3, -9, 2])
