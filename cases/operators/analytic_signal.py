"""
title: Analytic signal, its real part and its envelope (Hilbert transform)
description: >
  Doubling the positive frequencies and leaving out the negative ones gives a complex signal. Its
  real part is the signal itself, with its sign; its absolute value is the envelope. A cast to
  float32 keeps the real part alone.
tags: [torch.complex, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal):
        factor = torch.tensor([1.0, 2, 2, 2, 1, 0, 0, 0])
        analytic = torch.fft.ifft(torch.fft.fft(signal) * factor)
        carrier = analytic.to(torch.float32)
        return carrier, analytic.real - analytic.imag, analytic.abs()


dynamic_shapes = {"signal": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 8)
