"""
title: Mask of a sliding window of keys
description: >
  A query sees itself and the three keys before it. Both conditions compare aranges of the length,
  which may be shorter than the window.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores):
        positions = torch.arange(scores.shape[-1])
        behind = positions[:, None] - positions
        return scores.masked_fill((behind < 0) | (behind >= 4), -1e9).softmax(-1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"scores": {1: n, 2: n}}


def inputs(n=7):
    return (torch.randn(2, n, n),)
