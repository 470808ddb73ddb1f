"""
title: Padding mask as wide as the padded batch
description: >
  Positions run over the width of the input, which is known, and are compared with the lengths as
  tensors. Columns beyond the longest sequence are masked like all other padding.
tags: [torch.dynamic-shape]
dims: {width: {min: 2, max: 16}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, lengths):
        mask = torch.arange(x.shape[1], device=x.device) < lengths[:, None]
        return (x * mask).sum(1)


dynamic_shapes = {"x": {1: Dim.DYNAMIC}, "lengths": None}


def inputs(width=7):
    return torch.randn(3, width), torch.tensor([4, 2, 5])


def accepts():
    yield torch.randn(3, 7), torch.tensor([7, 1, 3])
    yield torch.randn(3, 7), torch.tensor([1, 0, 1])
    yield torch.randn(3, 7), torch.tensor([0, 0, 0])
