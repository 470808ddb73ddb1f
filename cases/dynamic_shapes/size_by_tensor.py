"""
title: torch.tensor of a dynamic size
description: >
  Of the functions that make a tensor of a size, torch.tensor alone is traced with the size as a
  symbol in every mode, as is torch.full with it as the value.
tags: [torch.dynamic-shape]
references: [pytorch/pytorch#136642]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(0) / torch.tensor(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
