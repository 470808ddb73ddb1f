"""
title: torch.randint up to a dynamic size (bootstrap)
description: >
  As many rows as there are, drawn with replacement: both the bound of randint and its shape are the
  number of rows. A capture that keeps the bound of the example never draws the later rows, or
  draws rows that are not there.
tags: [torch.random, torch.dynamic-shape, torch.specialization]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        rows = torch.randint(n, (n,), device=x.device)
        return x[rows].mean(0), rows


dynamic_shapes = {"x": {0: Dim("n", min=2, max=64)}}


def inputs(n=5):
    return torch.randn(n, 3)
