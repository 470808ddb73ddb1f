"""
title: fft, rfft, irfft and fft2 with dim, n, s and norm
description: >
  norm decides which of the two directions is divided, n and s crop or pad, and dim names the
  dimension; the last one and norm="backward" are only the defaults.
tags: [torch.sweep, torch.complex, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
allow:
  L056: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        there = torch.fft.fft(x, dim=1, norm="ortho"), torch.fft.rfft(x, n=5, dim=1, norm="forward")
        z = there[0]
        back = (
            torch.fft.ifft(z, n=3, dim=1, norm="forward"),
            torch.fft.irfft(z, n=7, dim=1, norm="ortho"),
            torch.fft.hfft(z, n=6, dim=1, norm="ortho"),
            torch.fft.ihfft(x, n=5, dim=1, norm="forward"),
        )
        planes = (
            torch.fft.fft2(z, s=(3, 4), dim=(2, 1), norm="ortho"),
            torch.fft.rfft2(x, s=(5, 3), dim=(2, 1), norm="forward"),
            torch.fft.irfft2(z, dim=(2, 1), norm="ortho"),
            torch.fft.fftn(x, s=(4, 2), dim=(1, 2), norm="forward"),
            torch.fft.ifftn(z, dim=(1, 2), norm="ortho"),
        )
        turned = torch.fft.fftshift(x, dim=1), torch.fft.ifftshift(x, dim=(1, 2))
        return there, back, planes, turned, torch.fft.rfftfreq(7, d=0.5) * x[0, 0, 0]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=3):
    return (torch.randn(n, 4, 5),)
