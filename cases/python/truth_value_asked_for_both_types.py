"""
title: isinstance with bool and int, for a flag
description: >
  A bool is an int in Python, and not for every tracer. Asked for both types, all say True.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (3 + int(isinstance(x.dim() > 1, (bool, int))))


def inputs():
    return torch.randn(5, 3)
