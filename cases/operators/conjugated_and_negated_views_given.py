"""
title: Inputs with the conjugate or negative bit set
description: >
  conj() and the imaginary part of a conjugate copy nothing: a bit of the tensor says how to read
  its memory. A capture that reads the memory without the bit gets the other sign.
advice: >
  Begin with z = z.resolve_conj().clone(): whether resolve_conj() copies depends on a bit of the
  input, and a graph does not ask for it. All that comes later then has a tensor without the bit.
tags: [torch.complex, torch.view, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, z, x):
        real = torch.view_as_real(z.resolve_conj()), z.to(torch.float32), z.imag, z.real
        return real, z * 2, z @ z.mT, z.conj() + 1, x + 1, x.exp(), x @ x.t(), (z * x).sum()


def inputs():
    return torch.randn(3, 3, dtype=torch.complex64), torch.randn(3, 3)


def accepts():
    z = torch.randn(3, 3, dtype=torch.complex64)
    yield z.conj(), z.conj().imag
    yield z, torch.randn(3, 3, dtype=torch.complex64).conj().imag
