"""
title: Number out of NumPy turned into a float in the constructor
description: >
  A Python float is a constant of the graph, and what it came from no longer matters.
tags: [python.attribute, torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = float(torch.tensor([0.3], dtype=torch.float64, device="cpu").numpy()[0])

    def forward(self, x):
        return x * self.scale


def inputs():
    return torch.randn(3, 4)
