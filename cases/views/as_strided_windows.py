"""
title: Overlapping windows made with as_strided
description: >
  as_strided makes windows of three that overlap, from sizes and strides given as numbers. How many
  there are follows from the length; the strides assume that elements lie side by side.
tags: [torch.view, torch.stride, torch.dynamic-shape]
dims: {n: {min: 4, max: 12}}
rewrites: [views/unfold_windows]
pitfalls: [views/contiguous_before_as_strided]
allow:
  L052: of an input that is not contiguous as_strided reads other elements, which is its trap
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.as_strided((x.shape[0] - 2, 3), (1, 1)).sum(1)


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=7):
    return torch.randn(n)


def accepts():
    yield torch.randn(14)[::2]
