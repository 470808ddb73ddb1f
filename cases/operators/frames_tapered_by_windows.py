"""
title: "Hann, Hamming, Blackman, Bartlett and Kaiser windows made in forward"
description: >
  A window of a given length exists in two forms, periodic for spectra and symmetric for filters,
  and each kind has its own constants. A capture may keep them as numbers, but of the right kind.
tags: [torch.operator]
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
