"""
title: Mel spectrogram of a sound of dynamic length
description: >
  stft cuts the sound into overlapping frames, pads it by reflection, and gives complex numbers; the
  squared magnitudes are summed up by a bank of filters. The number of frames is an expression of
  the length. The rewrite multiplies frames with the waves, in real numbers.
tags: [torch.dynamic-shape, torch.derived-dim, torch.dtype]
rewrites: [architectures/mel_spectrogram_real]
references: [pytorch#65666, pytorch#113067, pytorch#113444, pytorch#171673]
errors: [E0102]
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(16))
        self.register_buffer("filters", torch.linspace(0, 1, 27).view(3, 9))

    def forward(self, sound):
        spectrum = torch.stft(sound, 16, hop_length=4, window=self.window, return_complex=True)
        power = spectrum.abs().square()
        return (self.filters @ power).clamp(min=1e-6).log()


dynamic_shapes = {"sound": {1: Dim("n", min=16, max=400)}}


def inputs(n=50):
    return (torch.randn(2, n),)
