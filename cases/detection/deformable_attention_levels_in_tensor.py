"""
title: Deformable attention over levels whose sizes come in a tensor (Deformable DETR)
description: >
  The features of all levels lie in one sequence; the sizes of the levels, as data, say where to
  cut it and how to view each part.
tags: [torch.item, torch.unbacked-symbol, torch.attention]
requires: [values]
references: [huggingface/transformers#34390]
errors: [E0002]
advice: >
  Give the sizes of the levels as Python numbers of the model, or the levels as feature maps: what
  a tensor holds is not known while tracing.
dims: {h: {min: 2, max: 16}, w: {min: 2, max: 16}}
"""

import torch
from torch.export import Dim
from torch.nn.functional import grid_sample


class Model(torch.nn.Module):
    def forward(self, features, sizes, points, weights):
        sizes, sampled = sizes.tolist(), []
        for part, (h, w) in zip(features.split([h * w for h, w in sizes], dim=1), sizes):
            level = part.mT.unflatten(2, (h, w))
            sampled.append(grid_sample(level, points * 2 - 1, align_corners=False))
        return (torch.stack(sampled, dim=-1) * weights).sum((-2, -1))


dynamic_shapes = {"features": {1: Dim.AUTO}, "sizes": None, "points": None, "weights": None}


def inputs(h=5, w=7):
    sizes = torch.tensor([[h, w], [3, 4]])
    points, weights = torch.rand(1, 6, 2, 2), torch.rand(1, 1, 6, 2, 2)
    return torch.randn(1, h * w + 12, 3), sizes, points, weights
