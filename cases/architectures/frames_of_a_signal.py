"""
title: Frames of a signal, what is left over, and their spectrum in double precision
description: >
  Whole frames are cut from a signal and weighted with a window from a table that holds several.
  What does not fill a frame is known from the size alone, and the spectrum keeps double
  precision.
tags: [torch.complex, torch.sym-scalar, torch.buffer, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        windows = torch.arange(32, dtype=torch.float64).cos().view(4, 8)
        self.register_buffer("window", windows[2])
        self.register_buffer("column", windows.t()[1])

    def forward(self, x):
        size = x.shape[0]
        rest, whole = size - 4 * (size // 4), size // 4 * 4
        spectrum = torch.fft.rfft(x.double()[-8:] * self.window)
        share = x * whole / size + rest, x * ((size + 3) // 4)
        return spectrum, spectrum.conj() * self.column[1], share, x - size % 4


dynamic_shapes = {"x": {0: Dim("n", min=12, max=64)}}


def inputs(n=22):
    return torch.randn(n)
