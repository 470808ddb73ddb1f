"""
title: scatter_add and index_add into one row that is then gathered from
description: >
  Everything is added up in a single row, and each place reads the total. What reads has to come
  after all that was added, also where the two are fused into one kernel.
tags: [torch.sweep, torch.dynamic-shape]
references: [pytorch#191571]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, group):
        at = group[:, None].expand_as(x)
        total = x.new_zeros(1, 4).scatter_add(0, at, x)
        least = x.new_zeros(1, 4).scatter_reduce(0, at, x, "amin", include_self=False)
        summed = torch.index_add(x.new_ones(1, 4), 0, group, x, alpha=2)
        placed = x.new_zeros(1, 4).index_put((group,), x, accumulate=True)
        back = total.index_select(0, group), least.gather(0, at), placed[group]
        return x / total.index_select(0, group).exp(), back, summed[group] - x


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "group": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.zeros(n, dtype=torch.int64)
