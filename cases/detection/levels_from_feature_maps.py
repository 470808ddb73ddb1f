"""
title: Grids of several levels made from the sizes of the feature maps
description: >
  Each grid takes height and width from the shape of its feature map. The sizes are symbols that
  belong to the inputs, and the number of levels is that of the list.
tags: [torch.dynamic-shape, python.data-structure]
references: [huggingface/transformers#34390]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, maps, sizes):
        points = []
        for m in maps:
            height, width = m.shape
            y = (torch.arange(height) + 0.5) / height
            x = (torch.arange(width) + 0.5) / width
            points.append((y[:, None] + x).flatten())
        return torch.cat([m.flatten() for m in maps]) * torch.cat(points)


level = {0: Dim("h", min=2, max=16), 1: Dim("w", min=2, max=16)}
dynamic_shapes = {"maps": [level, None], "sizes": None}


def inputs(h=5, w=7):
    maps = [torch.randn(h, w), torch.randn(3, 4)]
    return maps, torch.tensor([[h, w], [3, 4]])
