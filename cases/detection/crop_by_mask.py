"""
title: Part of an image averaged with a mask
description: >
  Rows and columns between the corners are found by comparing aranges with the box, and what is in
  it is summed and divided by the number of places. All sizes are those of the image.
tags: [torch.view]
dims: {top: {min: 0, max: 4}, bottom: {min: 5, max: 9}}
allow:
  L056: the constant is the axis after the channels, which no size is compared with
"""

import torch


class Model(torch.nn.Module):
    def forward(self, image, box):
        top, left, bottom, right = box.unbind()
        row, column = torch.arange(image.shape[1]), torch.arange(image.shape[2])
        rows = (row >= top) & (row < bottom)
        mask = rows[:, None] & (column >= left) & (column < right)
        return torch.where(mask, image, 0.0).sum((1, 2)) / mask.sum()


def inputs(top=2, bottom=7):
    return torch.randn(3, 9, 11), torch.tensor([top, 4, bottom, 10])
