"""
title: Corner overwritten with torch.where and copy_
description: >
  A mask made of row and column numbers says where the corner is, torch.where computes the new
  numbers, and copy_ writes all of them back into the caller's tensor. No slice has to be cut.
tags: [torch.mutation, torch.dynamic-shape]
dims: {n: {min: 0, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = torch.arange(x.shape[0], device=x.device)[:, None] < 2
        columns = torch.arange(4, device=x.device) < 3
        x.copy_(torch.where(rows & columns, 1.0, x))
        return x.sum(1)


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 4)
