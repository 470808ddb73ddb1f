"""
title: NumPy numbers passed as tensors (torch.as_tensor)
description: >
  The caller makes a tensor of no dimensions of each number of NumPy. It is data, so any value may
  come, and it does not change the dtype of the result more than the number did.
tags: [torch.scalar-input, torch.dtype]
requires: [numpy]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale, steps):
        return x * scale + steps


def numbers(scale, steps):
    scale, steps = torch.tensor([scale], device="cpu"), torch.tensor([steps], device="cpu")
    return torch.as_tensor(scale.numpy()[0]), torch.as_tensor(steps.numpy()[0])


def inputs():
    return torch.randn(3, 4), *numbers(0.3, 3)


def accepts():
    yield torch.randn(3, 4), *numbers(0.7, 3)
    yield torch.randn(3, 4), *numbers(0.3, 5)
