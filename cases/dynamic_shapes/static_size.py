"""
title: Size that was not declared dynamic met with another size
description: >
  Without dynamic_shapes every size of the example is a constant of the capture. Called with
  another size, a capture must refuse it or do what eager does; a constant that slipped into the
  result unnoticed would be wrong. Declare the size dynamic if it varies.
tags: [torch.guard, torch.specialization]
rewrites: [dynamic_shapes/size_with_range]
errors: [E0104]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[0]


def inputs():
    return torch.randn(8, 3)


def rejects():
    yield torch.randn(7, 3)
    yield torch.randn(16, 3)
    yield torch.randn(1, 3)
    yield torch.randn(0, 3)
    yield torch.randn(8, 4)
