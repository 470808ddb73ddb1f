"""
title: searchsorted with a row of boundaries for each row, isclose from either side
description: >
  With boundaries of several dimensions each row is searched in its own. The relative tolerance of
  isclose is that of the second argument, so that the order of the two decides when one is larger.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = x.sort(-1).values
        places = torch.searchsorted(rows, x), torch.searchsorted(rows, x, right=True)
        beside = torch.searchsorted(rows, rows[:, 1:3] + 0.25, side="right")
        near = torch.isclose(x, x * 1.1, rtol=0.095), torch.isclose(x * 1.1, x, rtol=0.095)
        return places, beside, near


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 4).round(decimals=1) + 3 * torch.arange(n)[:, None],)
