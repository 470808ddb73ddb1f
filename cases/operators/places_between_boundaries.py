"""
title: searchsorted, bucketize and isin
description: >
  A value that equals a boundary belongs to the left or to the right of it, which the argument
  right decides. The boundaries have to be sorted, and nothing checks that. isin asks whether a
  value is among them.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, edges):
        left = torch.searchsorted(edges, x), torch.bucketize(x, edges)
        right = torch.searchsorted(edges, x, right=True), torch.bucketize(x, edges, right=True)
        return left, right, torch.isin(x, edges), torch.isin(x, edges, invert=True)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}, "edges": {0: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.arange(n * 3.0).reshape(n, 3) / 2, torch.arange(float(m))
