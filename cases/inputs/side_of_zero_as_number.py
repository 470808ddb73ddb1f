"""
title: The side from which zero is reached, as a number
description: >
  A float among the inputs decides by its sign on which side of a jump the result lies. 0.0 and -0.0
  are equal and hash alike, so a guard that compares the number with the example's takes one for the
  other.
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
