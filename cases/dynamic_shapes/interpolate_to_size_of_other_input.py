"""
title: interpolate to the size of another input
description: >
  A feature map is resized to the height and width of the image, whose sizes vary on their own.
  Up or down is a matter of the call and not of the graph.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, features, image):
        size = image.shape[-2:]
        return torch.nn.functional.interpolate(features, size=size, mode="bilinear") + image


height, width = Dim("height", min=3, max=16), Dim("width", min=3, max=16)
h, w = Dim("h", min=2, max=16), Dim("w", min=2, max=16)
dynamic_shapes = {"features": {2: h, 3: w}, "image": {0: height, 1: width}}


def inputs(h=4, w=5, height=7, width=9):
    return torch.randn(1, 2, h, w), torch.randn(height, width)
