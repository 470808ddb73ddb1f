"""
title: Merge two dynamic dimensions and split them again
description: >
  The rows of all sequences are put into one batch and sorted back, two views of the input's own
  memory with nothing in between. Whether the second view is possible is asked of the strides of
  the first, expressions of both sizes that hold for all of them but have to be proved.
tags: [torch.view, torch.dynamic-shape, torch.stride]
rewrites: [dynamic_shapes/rows_left_in_their_batch]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        batch, time, _ = x.shape
        rows = x.flatten(0, 1)
        return rows.unflatten(0, (batch, time)) * time


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=8), 1: Dim("time", min=2, max=16)}}


def inputs(batch=4, time=5):
    return torch.randn(batch, time, 3)
