"""
title: stft without centring and istft, replicate and reflect padding
description: >
  Without centring the first frame begins at the first sample; a window shorter than the frame is
  centred in it, and both halves of the spectrum can be asked for. Replicate and reflect padding
  give different signals.
tags: [torch.operator, torch.complex]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hamming_window(6))

    def forward(self, x):
        given = dict(hop_length=2, win_length=6, window=self.window, return_complex=True)
        first = torch.stft(x, 8, center=False, **given)
        repeated = torch.stft(x, 8, pad_mode="replicate", normalized=True, **given)
        both = torch.stft(x, 8, onesided=False, pad_mode="constant", **given)
        back = torch.istft(both, 8, 2, 6, self.window, onesided=False, return_complex=True)
        short = torch.istft(repeated, 8, 2, 6, self.window, normalized=True, length=9)
        return first, repeated, both, back, short


def inputs():
    return (torch.randn(2, 21),)
