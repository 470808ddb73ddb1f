"""
title: Window functions with a period or without, in another dtype
description: >
  A window for spectra repeats after its length; one for filters ends where it began. They are
  made in forward, where a compiler folds them into constants.
tags: [torch.operator, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        hann = torch.hann_window(8), torch.hann_window(8, periodic=False)
        hamming = torch.hamming_window(8, False, 0.6), torch.hamming_window(8)
        others = torch.bartlett_window(8), torch.bartlett_window(8, periodic=False)
        kaiser = torch.kaiser_window(8, True, 6.0), torch.kaiser_window(8, False)
        exact = torch.hann_window(8, dtype=torch.float64), torch.blackman_window(8, False)
        spread = torch.logspace(0, 2, 8, 2.0, dtype=torch.float64), torch.fft.rfftfreq(8, 0.5)
        return [x * window for window in (*hann, *hamming, *others, *kaiser, *exact, *spread[:1])]


def inputs():
    return torch.randn(8)
