"""
title: Non-maximum suppression that returns a mask of the size of its input
description: >
  The operator says for each box whether it is kept, so its result has the size of the scores. The
  kept boxes are sorted to the front and the number of them is returned beside the boxes.
tags: [torch.operator, torch.fake-kernel]
references: [pytorch#146152]
"""

import torch


@torch.library.custom_op("exportdb_best_boxes_padded::kept", mutates_args=())
def kept(boxes: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    mask = torch.zeros_like(scores, dtype=torch.bool)
    for i in scores.argsort(descending=True).tolist():
        apart = (boxes[i] - boxes[mask]).abs().amax(-1) > 1
        mask[i] = scores[i] > 0 and bool(apart.all())
    return mask


@kept.register_fake
def _(boxes, scores):
    return torch.empty_like(scores, dtype=torch.bool)


class Model(torch.nn.Module):
    def forward(self, boxes, scores):
        mask = kept(boxes, scores)
        best = scores.masked_fill(~mask, -torch.inf).topk(3)
        return boxes[best.indices], best.values


def inputs():
    return torch.rand(7, 4) * 8, torch.rand(7)


def accepts():
    yield torch.ones(7, 4), torch.rand(7)
    yield torch.rand(7, 4), -torch.rand(7)
