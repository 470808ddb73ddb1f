"""
title: Attention bias that falls with the distance, one slope for each head (ALiBi)
description: >
  The bias of a key is minus its distance times the slope of the head. Distances come from the two
  dynamic lengths, with the last query at the last key.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores):
        heads, n, m = scores.shape
        slopes = 0.5 ** torch.arange(1, heads + 1)
        queries = torch.arange(n) + (m - n)
        distance = (queries[:, None] - torch.arange(m)).abs()
        return (scores - slopes[:, None, None] * distance).softmax(-1)


dynamic_shapes = {"scores": {1: Dim("n", min=1, max=16), 2: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return (torch.randn(2, n, m),)
