"""
title: Corner overwritten with torch.where
description: >
  A mask made of row and column numbers says where the corner is, and torch.where makes a new
  tensor. No slice has to be cut, and the caller's tensor stays as it was.
tags: [torch.view, torch.dynamic-shape]
dims: {n: {min: 0, max: 12}}
allow:
  L052: the rewrite leaves the input alone, which is its point
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = torch.arange(x.shape[0], device=x.device)[:, None] < 2
        columns = torch.arange(4, device=x.device) < 3
        return torch.where(rows & columns, 1.0, x).sum(1)


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 4)
