"""
title: Input of the wrong rank refused by forward (ValueError)
description: >
  forward raises for an input that has not two dimensions, as most layers' checks do. The rank is
  known while tracing, so the check passes and leaves nothing behind; a capture has to refuse the
  wrong rank by itself.
tags: [python.exception, torch.specialization, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.dim() != 2:
            raise ValueError(f"expected 2 dimensions, got {x.dim()}")
        return x.softmax(-1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)


def rejects():
    yield torch.randn(3)
    yield torch.randn(5, 3, 1)
    yield torch.randn(2, 5, 3)
