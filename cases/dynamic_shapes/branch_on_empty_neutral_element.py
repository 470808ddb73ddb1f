"""
title: Neutral element in place of a branch on an empty tensor
description: >
  With one element that never wins unless it is alone, the maximum always exists and the program
  needs no branch on the size.
tags: [torch.dynamic-shape, torch.zero-one]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, x.new_full((1,), -1.0)]).amax(0)


dynamic_shapes = {"x": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.rand(n)
