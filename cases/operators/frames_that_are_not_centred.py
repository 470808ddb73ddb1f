"""
title: stft and istft without centring, padded in another way, with a length
description: >
  By default the signal is padded so that each frame is centred, as a mirror image of itself. Without
  centring the first frame begins at the first sample, and there are fewer frames.
tags: [torch.operator, torch.complex]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(8))

    def forward(self, x):
        given = {"n_fft": 8, "hop_length": 3, "window": self.window, "return_complex": True}
        plain = torch.stft(x, **given, center=False)
        zeros = torch.stft(x, **given, pad_mode="constant")
        edges = torch.stft(x, **given, pad_mode="replicate", normalized=True)
        whole = torch.stft(x, **given, onesided=False)
        back = torch.istft(zeros, 8, 3, window=self.window, length=21)
        return plain, zeros, edges, whole, back


def inputs():
    return torch.randn(2, 23)
