"""
title: Differences of all pairs by broadcasting
description: >
  Every row against every row, and triu(1) keeps each pair once.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        between = (x[:, None] - x).abs().sum(-1)
        return between.triu(1).sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
