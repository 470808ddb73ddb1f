"""
title: Check for no boxes with guard_or_false
description: >
  guard_or_false answers the question if it can be answered while tracing, and takes it for false
  if it cannot. It fits where the general way is right for the special case too, which here it is:
  no boxes give no boxes.
tags: [torch.unbacked-symbol, torch.data-dependent-shape, torch.zero-one]
requires: [values]
references: [pytorch/vision#9395]
"""

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false


class Model(torch.nn.Module):
    def forward(self, boxes, scores):
        boxes = boxes[scores > 0.5]
        if guard_or_false(boxes.shape[0] == 0):
            return boxes.new_zeros((0, 4))
        size = boxes[:, 2:] - boxes[:, :2]
        return torch.cat([boxes[:, :2] + size / 2, size], dim=1)


def inputs():
    return torch.rand(6, 4), torch.tensor([0.1, 0.9, 0.6, 0.2, 0.8, 0.3])


def accepts():
    yield torch.rand(6, 4), torch.zeros(6)
    yield torch.rand(6, 4), torch.ones(6)
