"""
title: Merge two dynamic dimensions, copy, and split them again
description: >
  clone, or any layer in its place, gives the merged rows memory of their own, laid out plainly.
  The second view starts from there and has no strides of the input to ask about.
tags: [torch.view, torch.dynamic-shape, torch.stride]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        batch, time, _ = x.shape
        rows = x.flatten(0, 1).clone()
        return rows.unflatten(0, (batch, time)) * time


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=8), 1: Dim("time", min=2, max=16)}}


def inputs(batch=4, time=5):
    return torch.randn(batch, time, 3)
