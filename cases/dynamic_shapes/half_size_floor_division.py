"""
title: Half of a dynamic size with floor division
description: >
  n // 2 stays an integer expression of the size from beginning to end.
tags: [torch.sym-scalar, torch.dynamic-shape]
references: [pytorch#138853]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(x.shape[0] // 2)


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(n)
