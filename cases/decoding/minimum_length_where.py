"""
title: End token forbidden by a mask that contains the length
description: >
  The length becomes a tensor, and its comparison is one factor of the mask. Both sides of the
  question are in the graph, as data.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, logits):
        length = torch.full((1,), ids.shape[1])
        forbidden = (torch.arange(logits.shape[1]) == 0) & (length < 8)
        return logits.masked_fill(forbidden, -torch.inf).softmax(-1)


dynamic_shapes = {"ids": {1: Dim("n", min=1, max=16)}, "logits": None}


def inputs(n=5):
    return torch.randint(4, (2, n)), torch.randn(2, 4)
