"""
title: log and polar of complex numbers, with negative phases and negative lengths
description: >
  The imaginary part of a logarithm lies between minus pi and pi, and a negative length turns the
  number round. A complex number is finite if both of its parts are.
tags: [torch.complex]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, z, length):
        turned = torch.polar(length, z.imag)
        whole = torch.complex(z.real, z.imag / (length > 0))
        tests = whole.isinf(), whole.isfinite(), torch.complex(length, whole.imag * 0).isnan()
        return z.log(), (z * z).log2(), turned, tests


def inputs():
    return torch.tensor([1 - 2j, -1 - 0.5j, 3 + 1j]), torch.tensor([-1.5, 2.0, 0.5])
