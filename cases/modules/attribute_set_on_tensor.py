"""
title: Python attribute set on a tensor
description: >
  forward hangs a number on an intermediate tensor and a helper reads it there. The attribute
  belongs to the Python object; an operation on the tensor makes a new one without it.
tags: [python.attribute]
rewrites: [modules/number_passed_beside_tensor]
"""

import torch


def scaled(x):
    return x * getattr(x, "scale", 7)


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.relu()
        y.scale = 4
        return scaled(y) + scaled(y + 1)


def inputs():
    return torch.randn(3, 5)
