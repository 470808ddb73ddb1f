"""
title: Rounding half a dynamic size in integers
description: >
  Two floor divisions by four add up to half the size, with halves going to the even neighbour as
  Python's round() has it.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        return torch.arange((n + 1) // 4 + (n + 2) // 4)


dynamic_shapes = {"x": {0: Dim("n", min=3, max=32)}}


def inputs(n=7):
    return torch.randn(n)
