"""
title: torch.vmap of a dynamic batch at once
description: >
  Without chunks there is no loop: every operator gets the whole batch as one more dimension.
tags: [torch.functional-transform, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.vmap(lambda row: row.softmax(0))(x)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
