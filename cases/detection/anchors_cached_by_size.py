"""
title: Anchors kept in a dict by the size of the feature map
description: >
  Anchors are made once for each size of the feature map and kept in a dict of the module. The key
  contains sizes, and what the dict holds while tracing becomes part of the capture. The rewrite
  makes the anchors in each call.
tags: [python.attribute, python.data-structure, torch.dynamic-shape]
rewrites: [detection/anchors_made_each_call]
pitfalls: [modules/shape_stored_on_self]
errors: [E0101, E0109]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.anchors = {}

    def forward(self, features):
        size = tuple(features.shape[1:])
        if size not in self.anchors:
            y, x = torch.arange(size[0]) * 8.0, torch.arange(size[1]) * 8.0
            self.anchors[size] = torch.cartesian_prod(y, x)
        return self.anchors[size] + features.flatten(1).T


h, w = Dim("h", min=2, max=16), Dim("w", min=2, max=16)
dynamic_shapes = {"features": {1: h, 2: w}}


def inputs(h=5, w=7):
    return (torch.randn(2, h, w),)
