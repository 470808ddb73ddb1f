"""
title: Absolute error as the square root of a square
description: >
  sqrt(d * d) is the absolute value of d and not d itself: of an error below zero it gives the
  positive number. Only the square of the square root is the number that one started with.
tags: [torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, guess, truth):
        d = guess - truth
        return torch.sqrt(d * d), d.square().sqrt().mean(1), (d**2) ** 0.5, d.pow(4).pow(0.25)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"guess": {0: n}, "truth": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
