"""
title: Number passed as a tensor instead of a Python float
description: >
  A tensor of no dimensions takes the place of the float. It is data, so any value may come.
tags: [torch.scalar-input]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


def inputs():
    return torch.randn(4), torch.tensor(2.5)


def accepts():
    yield torch.randn(4), torch.tensor(3.5)
    yield torch.randn(4), torch.tensor(0.0)
    yield torch.randn(4), torch.tensor(-1.25)
