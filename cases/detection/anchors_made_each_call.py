"""
title: Anchors made from the size of the feature map in each call
description: >
  Two aranges and a grid cost little, and they follow the sizes of the input. The module keeps
  nothing between calls.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, features):
        y = torch.arange(features.shape[1]) * 8.0
        x = torch.arange(features.shape[2]) * 8.0
        return torch.cartesian_prod(y, x) + features.flatten(1).T


h, w = Dim("h", min=2, max=16), Dim("w", min=2, max=16)
dynamic_shapes = {"features": {1: h, 2: w}}


def inputs(h=5, w=7):
    return (torch.randn(2, h, w),)
