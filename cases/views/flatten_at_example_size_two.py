"""
title: Flatten with a batch whose example has size 5
description: >
  The same program with an example of five images, which tracing does not take for anything
  special. Which sizes may come is said by the dim.
tags: [torch.view, torch.dim-hint]
dims: {n: {min: 1, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(x.shape[0], -1) * 2


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=5):
    return torch.randn(n, 3, 4)
