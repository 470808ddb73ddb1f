"""
title: one_hot with as many classes as rows
description: >
  torch.nn.functional.one_hot takes the number of classes as a plain int, so a dynamic size
  becomes a constant. The rewrite compares each class with an arange.
tags: [torch.dynamic-shape, torch.operator]
rewrites: [dynamic_shapes/classes_compared_with_arange]
errors: [E0101]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, places):
        return F.one_hot(places, x.shape[0]).float() @ x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "places": None}


def inputs(n=6):
    return torch.randn(n, 3), torch.tensor([1, 0, 1])
