"""
title: NumPy numbers as inputs (np.float32, np.int64)
description: >
  Numbers that come out of an array are np.float32 and np.int64, which Python takes for no float and
  no int, but torch computes with. Exporters know neither class, or keep the number of the example.
  The rewrite wraps them with torch.as_tensor before the call.
tags: [torch.scalar-input, torch.dtype]
requires: [numpy]
rewrites: [inputs/numpy_number_as_tensor]
errors: [E0201, E0501]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale, steps):
        return x * scale + steps


def numbers(scale, steps):
    scale, steps = torch.tensor([scale], device="cpu"), torch.tensor([steps], device="cpu")
    return scale.numpy()[0], steps.numpy()[0]


def inputs():
    return torch.randn(3, 4), *numbers(0.3, 3)


def rejects():
    yield torch.randn(3, 4), *numbers(0.7, 3)
    yield torch.randn(3, 4), *numbers(0.3, 5)
