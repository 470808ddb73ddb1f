"""
title: Entries and the gaps between them, one Dim and its successor
description: >
  The gaps have a Dim of their own and the entries are one more. The slices x[1:] and x[:-1] then
  have the length of the gaps for every size, not only for that of the example.
tags: [torch.derived-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return ((x[1:] - x[:-1]) / y).sum() / y.shape[0]


gaps = Dim("gaps", min=2, max=16)
dynamic_shapes = {"x": {0: gaps + 1}, "y": {0: gaps}}


def inputs(gaps=5):
    return torch.randn(gaps + 1), torch.rand(gaps) + 1
