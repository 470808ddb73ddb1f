"""
title: Boxes pooled from the feature level that fits their size
description: >
  Each box belongs to a level by the logarithm of its area. For every level the indices of its boxes
  are found with torch.where, worked on, and written to their places; a level may have none. The
  rewrite indexes the levels instead.
tags: [torch.scatter, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [detection/boxes_of_each_level_indexed]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, boxes, levels):
        area = (boxes[:, 2:] - boxes[:, :2]).prod(-1)
        level = torch.log2(area).floor().clamp(0, 2)
        out = boxes.new_zeros(boxes.shape[0], 4)
        for number in range(3):
            (index,) = torch.where(level == number)
            out[index] = boxes[index] * levels[number]
        return out


def inputs():
    size = torch.rand(7, 2) * 3 + 0.5
    corner = torch.rand(7, 2)
    return torch.cat([corner, corner + size], dim=1), torch.randn(3, 4)


def accepts():
    yield torch.tensor([[0.0, 0.0, 1.0, 1.0]]).repeat(7, 1), torch.randn(3, 4)
    yield torch.tensor([[0.0, 0.0, 9.0, 9.0]]).repeat(7, 1), torch.randn(3, 4)
