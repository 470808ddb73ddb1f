"""
title: stft with center=False, normalized, onesided=False and a shorter window
description: >
  center pads the signal by half a window, in one of several ways, normalized divides by the root
  of its length, onesided leaves out the mirrored half, and a window shorter than the frame is
  centred in it.
tags: [torch.complex, torch.dynamic-shape]
allow:
  L056: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("window", torch.hann_window(6) + 0.1)

    def forward(self, x):
        plain = torch.stft(x, 8, 3, center=False, return_complex=True)
        short = torch.stft(x, 8, 2, 6, self.window, normalized=True, return_complex=True)
        both = torch.stft(x, 8, 4, pad_mode="constant", onesided=False, return_complex=True)
        return plain, short, both.abs(), torch.view_as_real(both)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=3):
    return (torch.randn(n, 24),)
