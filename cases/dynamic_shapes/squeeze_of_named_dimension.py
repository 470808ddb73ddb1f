"""
title: squeeze(1) of the dimension that is always one
description: >
  Only the dimension that is meant is removed, so how many dimensions are left does not depend on
  the batch, and a batch of one is a batch.
tags: [torch.dynamic-shape, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.squeeze(1)
        return y / y.shape[0]


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=16)}}


def inputs(batch=5):
    return torch.randn(batch, 1, 3)
