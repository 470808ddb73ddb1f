"""
title: Hann, Hamming, Blackman, Bartlett and Kaiser windows made in forward
description: >
  Windows are periodic (for spectra) or symmetric (for filters), and each kind has its own
  constants. A capture may store them as numbers, but has to store the right kind.
tags: [torch.sweep]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, frames):
        n = frames.shape[-1]
        windows = [
            torch.hann_window(n),
            torch.hann_window(n, periodic=False),
            torch.hamming_window(n, True, 0.6, 0.4),
            torch.hamming_window(n, periodic=False),
            torch.blackman_window(n),
            torch.bartlett_window(n, periodic=False),
            torch.kaiser_window(n, True, 8.0),
        ]
        return [frames * window for window in windows]


def inputs():
    return (torch.randn(3, 7),)
