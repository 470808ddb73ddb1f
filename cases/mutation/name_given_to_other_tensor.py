"""
title: New name for a reshaped tensor in place of an assignment to .data
description: >
  The name is bound to the new tensor instead of giving an old one other memory. Every operator
  after that takes a tensor whose shape was its own from the beginning.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = torch.ones(3, device=x.device)
        return y * 2


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=5):
    return torch.randn(n)
