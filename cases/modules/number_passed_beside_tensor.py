"""
title: Number passed beside a tensor in place of an attribute of it
description: >
  The helper takes the number as an argument. Nothing is hidden on a tensor, so nothing can be lost
  on the way.
tags: [python.kwargs]
"""

import torch


def scaled(x, scale=7):
    return x * scale


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.relu()
        return scaled(y, scale=4) + scaled(y + 1)


def inputs():
    return torch.randn(3, 5)
