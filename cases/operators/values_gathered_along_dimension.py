"""
title: gather along a dimension, with a dynamic batch
description: >
  gather takes from each row what the indices of that row say. It does not broadcast, so the sizes
  have to fit already, and nothing about them is asked while tracing.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        order = x.argsort(dim=1, stable=True)
        ranked = x.gather(1, order)
        return ranked + torch.arange(x.shape[0])[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
