"""
title: Input whose elements share memory
description: >
  An expanded tensor has many elements and one row of memory. Reading it is like reading any other;
  a capture that assumes ordinary strides reads beyond its end.
tags: [torch.aliasing, torch.stride]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x * torch.arange(1.0, 4.0)[:, None]).sum(0) + x[2]


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(1, 4).expand(3, 4)
    yield torch.randn(3, 1).expand(3, 4)
