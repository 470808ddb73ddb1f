"""
title: High frequencies removed by a Fourier transform of full length (fft, ifft)
description: >
  The spectrum has as many complex numbers as the signal has elements, the higher half a mirror of
  the lower. The same frequencies are removed from both halves, so the result is real again.
tags: [torch.complex, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal):
        n = signal.shape[-1]
        frequency = torch.arange(n)
        low = (frequency < 3) | (frequency > n - 3)
        return torch.fft.ifft(torch.fft.fft(signal) * low).real.clone()


dynamic_shapes = {"signal": {1: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return (torch.randn(2, n),)
