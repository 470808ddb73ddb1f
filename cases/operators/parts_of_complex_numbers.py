"""
title: "Parts of complex numbers: polar, angle, conj, real, sgn"
description: >
  angle lies between minus and plus pi, and the side that it takes for negative numbers is decided
  by the sign of a zero. conj of a product is lazy until somebody needs the values.
tags: [torch.sweep, torch.complex, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        z = torch.complex(x, y)
        parts = z.real, z.imag, z.abs(), z.angle(), z.sgn(), z.conj_physical(), z.isreal()
        made = torch.polar(x.abs(), y), torch.view_as_complex(torch.stack((y, x), -1))
        return parts, made, z * z.conj(), z.exp(), z.sqrt(), z.reciprocal(), torch.view_as_real(z)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)


def accepts():
    yield torch.tensor([[-1.0, 1.0, -2.0]]), torch.tensor([[0.0, 0.0, -0.0]])
