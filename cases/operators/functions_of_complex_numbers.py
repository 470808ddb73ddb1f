"""
title: sqrt, log, pow, sin, sums and running products of complex numbers
description: >
  Roots, powers and inverse functions have several values; which one is taken depends on the signs
  of both parts. Sums and products mix the parts.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, z):
        waves = [z.sin(), z.cos(), z.tan(), z.sinh(), z.cosh(), z.tanh(), z.acos(), z.asin()]
        waves += [z.atan()]
        inverse = z.asinh(), z.acosh(), z.atanh(), z.sqrt(), z.rsqrt(), z.reciprocal(), z.sigmoid()
        powers = [z.exp(), z.expm1(), z.log(), z.log2(), z.log10(), z.log1p(), z**2, z**0.5, 2**z]
        powers += [z.sgn()]
        totals = z.sum(0), z.mean(-1), z.prod(0), z.cumsum(0), z.cumprod(-1), z.std(0), z.var(-1)
        tests = z == z.conj(), z.isnan(), z.abs(), z.angle(), (z != 0).all(-1), torch.logical_not(z)
        moved = [z.flip(0), z.roll(1, 0), z.diagonal(), torch.where(z.real > 0, z, -z)]
        moved += [z.masked_fill(z.imag > 0, 1j)]
        return waves, inverse, powers, totals, tests, moved, torch.lerp(z, -z, 0.25)


dynamic_shapes = {"z": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 3, dtype=torch.complex64),)
