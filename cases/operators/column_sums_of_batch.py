"""
title: Largest column sum of each matrix of a batch, written out
description: >
  The norm of order 1 is the largest sum of magnitudes down a column; of order infinity, along a
  row. Written so, no size of the batch is asked for.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, a):
        return a.abs().sum(dim=1).amax(dim=1)


dynamic_shapes = {"a": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3, 4),)
