"""
title: stft and back with istft
description: >
  The spectrogram of each row is damped and turned back into a signal of the same length. The
  number of frames follows from the length by a division, and istft checks on its way that no
  window sums to zero, which asks for a value.
advice: >
  Export once for each length: with a static size the check of the window is one of constants, and
  no size has to be divided.
tags: [torch.complex, torch.dynamic-shape]
requires: [values]
references: [pytorch#65666]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))

    def forward(self, x):
        frames = torch.stft(x, 8, hop_length=2, window=self.window, return_complex=True)
        return torch.istft(frames * 0.5, 8, hop_length=2, window=self.window, length=x.shape[1])


dynamic_shapes = {"x": {1: Dim("length", min=16, max=64)}}


def inputs(length=37):
    return torch.randn(3, length)
