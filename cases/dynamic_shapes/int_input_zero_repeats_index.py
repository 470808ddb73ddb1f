"""
title: Rows repeated by the size of an input in place of an int
description: >
  The number of repetitions is the length of a tensor without columns, so a named Dim declares its
  range with 0 in it. expand and reshape make the copies.
tags: [torch.scalar-input, torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, times):
        return x.expand(times.shape[0], 3).reshape(-1) * 2


dynamic_shapes = {"x": None, "times": {0: Dim("times", min=0, max=9)}}


def inputs(times=4):
    return torch.randn(3), torch.empty(times, 0)
