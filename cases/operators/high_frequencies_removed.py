"""
title: High frequencies removed by a Fourier transform (rfft, irfft)
description: >
  The spectrum of a real signal has n // 2 + 1 complex numbers, so a signal of 8 and one of 9
  have a spectrum of the same length. The way back has to be told the length, which is a dynamic
  size here. The rewrite keeps both halves of the spectrum, which is as long as the signal.
tags: [torch.complex, torch.dynamic-shape]
rewrites: [operators/high_frequencies_removed_from_both_halves]
references: [pytorch#135087]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, signal):
        spectrum = torch.fft.rfft(signal)
        low = torch.arange(spectrum.shape[-1]) < 3
        return torch.fft.irfft(spectrum * low, n=signal.shape[-1])


dynamic_shapes = {"signal": {1: Dim("n", min=2, max=32)}}


def inputs(n=9):
    return (torch.randn(2, n),)
