"""
title: Size of one expanded by the caller
description: >
  The bias always has an entry for each row, with the same Dim as the rows. Callers who have one
  number expand it, which takes no memory.
tags: [torch.shared-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, bias):
        return x + bias * x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "bias": {0: n}}


def inputs(n=5):
    return torch.randn(n), torch.randn(n)
