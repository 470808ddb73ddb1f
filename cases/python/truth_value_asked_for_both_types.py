"""
title: A truth value asked whether it is a bool or an int
description: >
  Whether a bool counts as an int no longer matters.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (3 + int(isinstance(x.dim() > 1, (bool, int))))


def inputs():
    return torch.randn(5, 3)
