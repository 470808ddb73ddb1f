"""
title: isinstance(True, (bool, int))
description: >
  With both types in the question it no longer matters whether a bool counts as an int.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (3 + int(isinstance(x.dim() > 1, (bool, int))))


def inputs():
    return torch.randn(5, 3)
