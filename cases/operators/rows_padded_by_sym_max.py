"""
title: Rows of different length padded to the larger of two sizes
description: >
  torch.sym_max keeps the larger size as an expression of both, so nothing has to be decided while
  tracing. Both tensors are padded with zeros to it and stacked.
tags: [torch.nested, torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        longest = torch.sym_max(x.shape[0], y.shape[0])
        padded = [
            torch.nn.functional.pad(rows, (0, 0, 0, longest - rows.shape[0])) for rows in (x, y)
        ]
        return torch.stack(padded) * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n, 4), torch.randn(m, 4)
