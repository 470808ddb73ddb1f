"""
title: Counts and masks of the caller that are written into
description: >
  A table of counts, a mask and a matrix that lies transposed are inputs and results at once. They
  are whole numbers, truth values and a view of larger memory, where other inputs are floats.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, counts, seen, table, ids):
        counts.index_add_(0, ids, torch.ones_like(ids))
        seen |= counts > 1
        table.mT[1:].mul_(2).add_(1)
        return table.sum(0) + seen


dynamic_shapes = {"counts": None, "seen": None, "table": None, "ids": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    table = torch.randn(6, 8)[:, 2:].T
    return torch.zeros(6, dtype=torch.int64), torch.zeros(6).bool(), table, torch.arange(n) % 3
