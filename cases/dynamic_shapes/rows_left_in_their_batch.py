"""
title: Work on the last dimension without merging batch and time
description: >
  What treats each row alike needs no batch of rows: elementwise operators, norms and linear layers
  take any number of dimensions in front. Nothing is merged, so nothing has to be split again.
tags: [torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * x.shape[1]


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=8), 1: Dim("time", min=2, max=16)}}


def inputs(batch=4, time=5):
    return torch.randn(batch, time, 3)
