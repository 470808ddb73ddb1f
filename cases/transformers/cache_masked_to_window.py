"""
title: Rows of the cache that lie outside of a window masked
description: >
  All rows stay, and those more than four places from the end get the score minus infinity. The
  number of rows is the same for every length, so no slice has to be decided.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, past):
        keys = torch.cat([past, x])
        outside = torch.arange(keys.shape[0]) < keys.shape[0] - 4
        return (x @ keys.T).masked_fill(outside, -torch.inf).softmax(-1) @ keys


dynamic_shapes = {"x": None, "past": {0: Dim("past", min=0, max=16)}}


def inputs(past=6):
    return torch.randn(1, 3), torch.randn(past, 3)
