"""
title: Grids of several levels whose sizes come in a tensor
description: >
  A tensor lists height and width of each feature level, and forward makes a grid of points for
  each: tolist() brings the sizes to Python as data. The rewrite takes them from the feature maps
  themselves, whose sizes are known.
tags: [torch.item, torch.unbacked-symbol, torch.data-dependent-shape]
requires: [values]
rewrites: [detection/levels_from_feature_maps]
references: [huggingface/transformers#34390]
errors: [E0002]
allow:
  L052: where the tensor names other sizes than the maps have, the rewrite goes by the maps
dims: {h: {min: 2, max: 16}, w: {min: 2, max: 16}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, maps, sizes):
        points = []
        for height, width in sizes.tolist():
            y = torch.linspace(0.5, height - 0.5, height) / height
            x = torch.linspace(0.5, width - 0.5, width) / width
            points.append(torch.cartesian_prod(y, x))
        return torch.cat([m.flatten() for m in maps]) * torch.cat(points).sum(-1)


def inputs(h=5, w=7):
    maps = [torch.randn(h, w), torch.randn(3, 4)]
    return maps, torch.tensor([[h, w], [3, 4]])
