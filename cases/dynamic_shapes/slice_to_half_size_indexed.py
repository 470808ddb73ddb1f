"""
title: Elements up to half of a dynamic size, picked by index
description: >
  A tensor of indices as long as half the size picks the elements. The size of the result is that
  of the indices, and nothing has to be compared with the length of the input.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[torch.arange(x.shape[0] // 2)] * 2


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(n)
