"""
title: Tensors made on a default device that a block sets
description: >
  Inside of the block a factory without a device makes its tensor where the input is. The default is
  a mode that works while the program is traced; a graph keeps of it only the device that each
  factory was given.
tags: [torch.device, python.context-manager, torch.dynamic-shape]
references: [pytorch#91525]
errors: [E0323, E0602]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.device(x.device):
            position = torch.arange(x.shape[0])
            scale = torch.tensor([0.5, 1.0, 2.0])
        return x * scale + position[:, None]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
