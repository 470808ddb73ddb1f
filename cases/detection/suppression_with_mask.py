"""
title: Non-maximum suppression as a loop of fixed length over a mask
description: >
  The loop goes over the places of the sorted order, and whether a box is kept is computed as a
  tensor and written into the mask. The number of boxes is static, so the loop unrolls.
tags: [python.control-flow, torch.scatter]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, overlap, scores):
        kept = torch.zeros_like(scores)
        order = scores.argsort(descending=True)
        for place in range(scores.shape[0]):
            index = order.narrow(0, place, 1)
            free = (overlap.index_select(0, index) * kept).max() < 0.5
            kept = kept.scatter(0, index, free.to(kept.dtype)[None])
        return kept


def inputs():
    overlap = torch.rand(5, 5)
    return (overlap + overlap.T) / 2, torch.rand(5)


def accepts():
    yield torch.zeros(5, 5), torch.rand(5)
    yield torch.ones(5, 5), torch.rand(5)
