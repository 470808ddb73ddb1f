"""
title: hfft2, hfftn, ihfftn and irfftn with dim, s and norm
description: >
  dim says which dimensions are transformed, s how long they become and norm how the result is
  scaled; the last dimension given is the halved one.
tags: [torch.sweep, torch.complex]
"""

import torch
from torch import fft


class Model(torch.nn.Module):
    def forward(self, x):
        half = fft.ihfft2(x, s=(4, 6), dim=(1, 0), norm="ortho")
        several = fft.ihfftn(x, dim=(0, 2), norm="forward")
        real = fft.hfft2(half, s=(4, 6), dim=(1, 0), norm="ortho")
        all_real = fft.hfftn(several, s=(3, 4), dim=(0, 2), norm="forward")
        there = fft.fft2(x, s=(2, 5), dim=(0, 2), norm="forward")
        back = fft.ifft2(there, dim=(2, 0)), fft.irfftn(several, s=(4, 3), dim=(2, 0), norm="ortho")
        moved = fft.fftshift(there, dim=0), fft.ifftshift(there, dim=(1, 2))
        return half, several, real, all_real, there, back, moved


def inputs():
    return (torch.randn(3, 5, 4),)
