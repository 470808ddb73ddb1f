"""
title: Peaks of a heatmap (keypoints, centres of objects)
description: >
  A place is a peak if max pooling leaves it as it is. topk takes the best peaks of the flattened
  map, and quotient and remainder by the width give row and column. Height and width are dynamic.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, heat):
        height, width = heat.shape[-2:]
        pooled = torch.nn.functional.max_pool2d(heat, 3, stride=1, padding=1)
        peaks = torch.where(heat == pooled, heat, -torch.inf)
        scores, index = peaks.flatten(1).topk(2)
        return scores, index // width, index % width


dynamic_shapes = {"heat": {1: Dim("h", min=3, max=24), 2: Dim("w", min=3, max=24)}}


def inputs(h=9, w=11):
    return (torch.rand(4, h, w),)
