"""
title: Mask combined with a bool tensor by &
description: >
  Both operands are bool tensors, so the result is a mask for every tracer.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) & torch.tensor(True)


def inputs():
    return torch.randn(5, 3)
