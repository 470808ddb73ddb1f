"""
title: fft, ifft, rfft, irfft, hfft, fft2 and fftshift
description: >
  The inverse of a real transform has to be told an odd length, or it assumes an even one. norm
  says which direction is divided, and by what.
tags: [torch.sweep, torch.complex, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch import fft
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        line = fft.rfft(x, norm="ortho"), fft.fft(x, n=9), fft.ifft(x, norm="forward"), fft.hfft(x)
        back = fft.irfft(fft.rfft(x), n=7), fft.irfft(fft.rfft(x)), fft.ihfft(x)
        plane = fft.fft2(x, norm="backward"), fft.rfft2(x), fft.irfft2(fft.rfft2(x), s=(3, 7))
        return line, back, plane, fft.fftshift(x), fft.ifftshift(x, dim=1), fft.fftn(x, dim=(1, 2))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3, 7),)
