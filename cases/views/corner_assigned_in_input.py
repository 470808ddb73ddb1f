"""
title: x[:2, :3] = 1 on an input with a dynamic batch
description: >
  A corner of the caller's own tensor is overwritten. The slice is cut where the batch has fewer
  rows than it asks for, so with one row one row is written.
tags: [torch.mutation, torch.view, torch.dynamic-shape]
dims: {n: {min: 0, max: 12}}
rewrites: [views/corner_written_back]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        x[:2, :3] = 1
        return x.sum(1)


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 4)
