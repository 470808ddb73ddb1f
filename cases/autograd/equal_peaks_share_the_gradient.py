"""
title: Loss on the peak of a signal that several samples reach
description: >
  amax and the largest of all, max() without a dim, share the gradient evenly among equals; max with
  a dim gives all of it to the one whose place it returns. A signal that was clipped has many
  equal peaks.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = torch.nn.Parameter(torch.tensor([1.0, 2.0, 1.0, 2.0, 0.5, 2.0]))

    def forward(self, x):
        signal = self.gain * x
        loudest = signal.amax(), signal.max(), signal.max(0).values
        return loudest, signal.amin(0), signal.min(), signal.abs().reshape(2, 3).amax((0, 1))


def inputs():
    return torch.ones(6)


def accepts():
    yield torch.tensor([2.0, 1.0, -1.0, -0.5, 4.0, 0.0])
