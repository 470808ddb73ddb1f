"""
title: Empty set of boxes handled by operators that take empty tensors
description: >
  Slicing, subtracting and concatenating zero rows gives zero rows, so nothing has to be asked. The
  result has as many boxes as passed the threshold.
tags: [torch.unbacked-symbol, torch.data-dependent-shape]
requires: [values]
references: [pytorch#146152]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, boxes, scores):
        boxes = boxes[scores > 0.5]
        size = boxes[:, 2:] - boxes[:, :2]
        return torch.cat([boxes[:, :2] + size / 2, size], dim=1)


def inputs():
    return torch.rand(6, 4), torch.tensor([0.1, 0.9, 0.6, 0.2, 0.8, 0.3])


def accepts():
    yield torch.rand(6, 4), torch.zeros(6)
    yield torch.rand(6, 4), torch.ones(6)
