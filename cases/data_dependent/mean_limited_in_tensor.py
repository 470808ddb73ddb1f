"""
title: clamp of a tensor in place of min() with an infinite limit
description: >
  torch.clamp takes an infinite limit like any other, and no number is read from the tensor.
tags: [torch.item]
"""

import torch

LIMIT = float("inf")


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x.mean().clamp(max=LIMIT)


def inputs():
    return torch.randn(5)
