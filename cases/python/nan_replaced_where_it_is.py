"""
title: Each NaN replaced where it is
description: >
  Whether there is a NaN is asked of each element, and not of the tensor. Without one nothing is
  replaced.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.where(x.isnan(), 0, x) * 2


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.tensor([[1.0, float("nan"), 2.0, 3.0]] * 3),)
