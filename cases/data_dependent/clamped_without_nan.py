"""
title: A number of a tensor that is at least zero, and zero where it is NaN
description: >
  clamp() keeps NaN, and nan_to_num() makes of it what was meant.
tags: [torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x[0] + x[1, 0].nan_to_num(posinf=float("inf")).clamp(min=0.0)


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield (torch.cat([torch.ones(1, 3), torch.full((4, 3), float("nan"))]),)
