"""
title: Row and column of the highest cell of each map, by torch.unravel_index
description: >
  argmax over a flattened map counts its cells; unravel_index turns that number into one index for each dim, where the
  last dim counts fastest.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, heat):
        row, column = torch.unravel_index(heat.flatten(1).argmax(1), heat.shape[1:])
        ranked = heat.flatten(1).argsort(dim=1, descending=True, stable=True)[:, :3]
        return row, column, torch.stack(torch.unravel_index(ranked, (6, 8)), dim=-1)


dynamic_shapes = {"heat": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 48) * 37 % 241).reshape(n, 6, 8).float()
