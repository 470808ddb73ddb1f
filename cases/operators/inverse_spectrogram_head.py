"""
title: A vocoder's head that gives sound from magnitudes and phases (istft)
description: >
  The last layer predicts the magnitude and the phase of each frame, and istft overlaps and adds
  the frames. The window is a buffer; without centring, its edges must not be zero. On its way
  istft asks whether the windows add up to something everywhere.
tags: [torch.complex, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.head = torch.nn.Linear(6, 10)
        self.register_buffer("window", torch.hamming_window(8))

    def forward(self, x):
        size, phase = self.head(x).transpose(1, 2).chunk(2, dim=1)
        frames = torch.polar(size.exp().clamp(max=100.0), phase)
        sound = torch.istft(frames, 8, 2, window=self.window, center=False, normalized=True)
        return sound, torch.istft(frames, 8, 4, window=self.window, length=20)


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=8)}}


def inputs(batch=3):
    return (torch.randn(batch, 7, 6),)
