"""
title: Waiting times, amplitudes and channels lost, drawn for a simulated sensor
description: >
  Trials are counted from one, amplitudes are exponentials of normal numbers, whole channels are
  dropped by feature_alpha_dropout, and attention in training drops some of its weights.
tags: [torch.random]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        trials = torch.zeros(6).geometric_(0.3)
        amplitude = torch.empty_like(x).log_normal_(0.5, 0.25)
        lost = F.feature_alpha_dropout(x * amplitude, 0.5, training=True)
        rows = lost.flatten(2)
        return (
            trials,
            amplitude,
            lost,
            F.scaled_dot_product_attention(rows, rows, rows, dropout_p=0.4),
        )


def inputs():
    return (torch.randn(2, 6, 3, 4),)
