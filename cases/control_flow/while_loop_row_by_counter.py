"""
title: while_loop that reads the row of its counter
description: >
  The counter is a tensor and picks the next row. x[i] would ask for the number in it, which a
  loop body cannot have; index_select takes the tensor as it is. The loop runs over all rows,
  however many come.
tags: [torch.while-loop, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def unfinished(i, total):
            return i < x.shape[0]

        def step(i, total):
            row = x.index_select(0, i.reshape(1)).squeeze(0)
            return i + 1, total * 0.5 + row

        first = (torch.zeros((), dtype=torch.int64), torch.zeros(3))
        return torch.while_loop(unfinished, step, first)[1]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
