"""
title: Overlapping windows made with unfold
description: >
  unfold names the dimension, the length of a window and the step. It takes the strides that its
  input has, so it is right for every layout.
tags: [torch.view, torch.dynamic-shape]
dims: {n: {min: 4, max: 12}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.unfold(0, 3, 1).sum(1)


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=7):
    return torch.randn(n)


def accepts():
    yield torch.randn(14)[::2]
