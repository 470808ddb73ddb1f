"""
title: Empty result returned early when there are no boxes
description: >
  Whether any box passed the threshold decides which of two returns is taken. The number of boxes is
  data, and Python has to know if it is 0. For no boxes the second return gives the same as the
  first, so the rewrite leaves the question out.
tags: [torch.unbacked-symbol, torch.data-dependent-shape, torch.zero-one, python.control-flow]
requires: [values]
rewrites: [detection/no_boxes_not_checked, detection/no_boxes_guard_or_false]
pitfalls: [data_dependent/early_return_checked_away]
references: [pytorch#146152]
errors: [E0001]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, boxes, scores):
        boxes = boxes[scores > 0.5]
        if boxes.numel() == 0:
            return boxes.new_zeros((0, 4))
        size = boxes[:, 2:] - boxes[:, :2]
        return torch.cat([boxes[:, :2] + size / 2, size], dim=1)


def inputs():
    return torch.rand(6, 4), torch.tensor([0.1, 0.9, 0.6, 0.2, 0.8, 0.3])


def accepts():
    yield torch.rand(6, 4), torch.zeros(6)
    yield torch.rand(6, 4), torch.ones(6)
    yield torch.rand(6, 4), torch.tensor([0.1, 0.1, 0.6, 0.2, 0.1, 0.3])
