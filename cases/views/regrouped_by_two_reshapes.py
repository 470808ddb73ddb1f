"""
title: Numbers regrouped by transpose and reshape, twice
description: >
  Columns are put one behind the other and dealt out again to as many rows as before. Which number
  comes where is a quotient and a remainder by an expression of the size; a compiler that simplifies
  them has to be right for every size.
tags: [torch.view, torch.stride, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        dealt = x.t().reshape(3, -1).t()
        return dealt.reshape(x.shape[0], 6) * 2 + x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 6)
