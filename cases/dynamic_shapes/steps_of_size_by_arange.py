"""
title: Evenly spaced numbers by arange in place of linspace
description: >
  torch.arange takes a symbolic size; its numbers divided by the last one are the same steps.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return x + (torch.arange(n) / (n - 1))[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
