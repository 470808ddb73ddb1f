"""
title: Another shape assigned to .data
description: >
  Assigning to .data gives a tensor other memory, and with it another shape. A capture that records
  only operators sees the values and keeps the shape that it knew.
tags: [torch.mutation, torch.dynamic-shape]
rewrites: [mutation/name_given_to_other_tensor]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        y.data = torch.ones(3)
        return y * 2


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=5):
    return torch.randn(n)
