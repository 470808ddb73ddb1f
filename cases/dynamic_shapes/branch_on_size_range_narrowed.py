"""
title: Suggested fix for a branch on a size, the range narrowed
description: >
  The range is declared as the branch of the example needs it, which is what the suggested fix of
  the error says (min=5). Shorter inputs belong to the other branch and have to be refused.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] > 4:
            return x + 1
        return x * 100


dynamic_shapes = {"x": {0: Dim("n", min=5, max=32)}}


def inputs(n=7):
    return torch.randn(n)
