"""
title: Linear interpolation of a signal that holds an infinity
description: >
  Eager takes the nearer element alone where the weight of the other one is zero. The decomposition
  multiplies by the zero, and zero times infinity is NaN: mask values of -inf or an overflow in the
  signal become NaN beside it.
tags: [torch.decomposition, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.nn.functional.interpolate(x, size=6, mode="linear")


def inputs():
    return torch.tensor([[[0.5, -1.0, 2.0]]])


def accepts():
    yield torch.tensor([[[float("inf"), -1.0, 2.0]]])
