"""
title: Non-maximum suppression as a custom operator, the best boxes taken from its result
description: >
  The operator returns the indices of the boxes that it keeps, and how many those are is data: its
  fake kernel makes a size for it. Slicing with [:3] then takes three of them, or fewer where fewer
  are left, even none.
tags: [torch.operator, torch.fake-kernel, torch.unbacked-symbol, torch.data-dependent-shape]
requires: [values]
references: [pytorch#146152, pytorch/vision#9395]
"""

import torch


@torch.library.custom_op("exportdb_best_boxes::nms", mutates_args=())
def nms(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    order = scores.argsort(descending=True)
    kept = []
    for i in order[scores[order] > 0].tolist():
        if all((boxes[i] - boxes[j]).abs().max() > 1 for j in kept):
            kept.append(i)
    return torch.tensor(kept, dtype=torch.int64)


@nms.register_fake
def _(boxes, scores):
    return scores.new_empty(torch.library.get_ctx().new_dynamic_size(), dtype=torch.int64)


class Model(torch.nn.Module):
    def forward(self, boxes, scores):
        return boxes[nms(boxes, scores)[:3]]


def inputs():
    return torch.rand(7, 4) * 8, torch.rand(7)


def accepts():
    yield torch.ones(7, 4), torch.rand(7)
    yield torch.rand(7, 4), -torch.rand(7)
    yield torch.arange(28.0).view(7, 4), torch.rand(7)
