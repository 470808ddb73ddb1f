"""
title: A mean limited by infinity without leaving the tensor
description: >
  torch.clamp takes an infinite limit like any other, and no number is read.
tags: [torch.item]
"""

import torch

LIMIT = float("inf")


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x.mean().clamp(max=LIMIT)


def inputs():
    return torch.randn(5)
