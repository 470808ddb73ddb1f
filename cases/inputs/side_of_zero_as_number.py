"""
title: 0.0 and -0.0 as a float input
description: >
  The sign of a float input decides on which side of a jump the result lies. 0.0 and -0.0 are
  equal and hash alike, so a guard that compares the input with the example's takes one for the
  other.
advice: >
  Give the number as a tensor: its sign is read when the graph runs. A Python float is compared by
  ==, for which 0.0 and -0.0 are one.
tags: [torch.scalar-input, torch.specialization]
"""

import math

import torch


class Model(torch.nn.Module):
    def forward(self, x, side):
        return x.abs() * math.copysign(1.0, side) + torch.atan2(x, torch.full((), side))


def inputs():
    return torch.randn(3, 4), 0.0


def rejects():
    yield torch.randn(3, 4), -0.0
