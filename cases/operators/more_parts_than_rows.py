"""
title: chunk, slices and reductions with fewer rows than asked for
description: >
  chunk gives fewer parts than asked for if there are not enough rows, a slice ends where the rows
  end, and an empty index selects nothing. A sum, product or mean over nothing is 0, 1 and NaN.
tags: [torch.sweep, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, places):
        parts = x.chunk(5, 1), x.tensor_split(5, 1), x.split(3, 1)
        taken = x[:, 2:9], x[places], x.index_select(1, places), x[:, 3:3]
        over_nothing = x[:, :0] @ x.new_zeros(0, 3), x[:, :0].sum(1), x[:, :0].prod(1)
        truths = (x[:, :0] > 0).all(1), (x[:, :0] > 0).any(1)
        return parts, taken, over_nothing, truths, x[:, :0].mean(1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}, "places": None}


def inputs(n=6):
    return torch.randn(n, 4), torch.zeros(0, dtype=torch.int64)
