"""
title: Codebook, scale and usage of a quantiser returned for a penalty
description: >
  A vector quantiser returns its parameters beside the result, so that the caller can add a penalty
  on them. Each has to come back in its own place, as the parameter itself: one is returned twice,
  and two have the same shape.
tags: [torch.parameter, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.codebook = torch.nn.Parameter(torch.linspace(-2, 2, 12).reshape(4, 3))
        self.scale = torch.nn.Parameter(torch.tensor([0.5, 1.5, 2.0]))
        self.shift = torch.nn.Parameter(torch.tensor([0.1, -0.2, 0.3]))

    def forward(self, x):
        y = (x * self.scale + self.shift) @ self.codebook.t()
        return self.shift, y.softmax(1), self.codebook, self.scale, [self.shift]


def inputs():
    return torch.randn(5, 3)
