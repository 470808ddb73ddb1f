"""
title: rfftn, irfftn, hfft and ihfft over several dimensions
description: >
  Transforms of real data keep half of the last dimension, so the inverse has to be told the size
  that is wanted. The order of the dimensions, sizes that crop or pad, and the norm all change the
  numbers.
tags: [torch.sweep, torch.complex]
"""

import torch
from torch import fft


class Model(torch.nn.Module):
    def forward(self, x):
        half = fft.rfftn(x, dim=(0, 1))
        padded = fft.rfftn(x, s=(4, 6), dim=(2, 1), norm="forward")
        back = fft.irfftn(half, s=(3, 5), dim=(0, 1)), fft.irfftn(padded, dim=(2, 1))
        spectrum = fft.ihfft(x, n=6, dim=1, norm="ortho")
        real = fft.hfft(spectrum, n=6, dim=1, norm="ortho"), fft.hfft2(fft.ihfft2(x), s=(5, 4))
        plane = fft.ifft2(x, s=(4, 4), norm="ortho"), fft.ifftn(x + 0j, s=(2, 3), dim=(0, 2))
        steps = fft.fftfreq(6, 0.5) + fft.rfftfreq(11, 2.0)
        return half, padded, back, spectrum, real, plane, steps


def inputs():
    return (torch.randn(3, 5, 4),)
