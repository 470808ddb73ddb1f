"""
title: Dropout of elements, of channels and for SELU, in training
description: >
  What is kept is scaled so that the mean stays; dropout2d drops whole channels, and alpha dropout
  puts a negative number in place of what it drops.
tags: [torch.random, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.4), F.dropout2d(x, 0.5), F.alpha_dropout(x, 0.3), F.dropout(x, 0.0)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, 4, 6)
