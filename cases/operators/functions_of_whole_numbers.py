"""
title: Functions of real numbers given whole numbers and truths
description: >
  Each takes an integer or a bool and gives a float, in the default dtype. A kernel that
  computes in the type of its input loses everything behind the point.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, n, b):
        waves = n.sin(), n.cosh(), (n / 9).acos(), n.atan(), n.asinh(), b.tanh(), torch.atan2(n, b)
        powers = n.exp(), n.exp2(), n.expm1(), n.sqrt(), n.rsqrt(), n.reciprocal(), n.sigmoid()
        logs = n.log(), n.log2(), n.log10(), n.log1p(), (n + 1).lgamma(), n.digamma(), n.logit(0.1)
        special = n.erf(), b.erfc(), b.erfinv(), n.i0(), torch.special.i1e(n), torch.special.ndtr(n)
        tests = [n.isnan(), n.isinf(), n.isfinite(), b.isposinf(), n.signbit(), n.angle()]
        tests += [n.deg2rad()]
        return waves, powers, logs, special, tests, torch.xlogy(n, b + 2), n.to(torch.uint8).exp2()


dynamic_shapes = {"n": {0: Dim("n", min=2, max=9)}, "b": {0: Dim("n", min=2, max=9)}}


def inputs(n=7):
    return torch.arange(1, n + 1), torch.arange(n) % 2 == 0
