"""
title: Results remembered by name instead of id()
description: >
  The program knows which of its variables it means, so it can keep results in variables or in a
  dict with fixed keys. No identity is asked for.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        seen = {"x": x.sin(), "y": y.sin()}
        return seen["x"] + seen["y"] + seen["x"]


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)
