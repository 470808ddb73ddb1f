"""
title: clamp and nan_to_num in place of Python's max of a value and zero
description: >
  clamp() keeps NaN, and nan_to_num() then turns NaN into zero, which is what Python's max gives.
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
