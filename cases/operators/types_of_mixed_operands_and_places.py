"""
title: dtypes of mixed operands, of sums of small ints, and of places
description: >
  Sums of small ints are int64, a Python number decides by its kind and not by its size, a tensor
  of no dimensions less than one that has some. Places are int64.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, i):
        mixed = i * 0.5, i / 2, i + x[:, :1].double(), torch.where(x > 0, i, 0.5), i + True
        point = x.mean().double() + x, i.sum() * x, i + x.sum(), (i > 1) + i, (i > 1) * 2.5
        small = i.to(torch.uint8) - 3, i.to(torch.int8) * 99, i.to(torch.uint8).sum(), (i > 1).sum()
        sums = i.int().cumsum(0), i.int().sum(0), i.to(torch.int8).prod(0), (i > 1).cumsum(0)
        places = x.argmax(1), x.nonzero_static(size=4), x.sort(1).indices, x.topk(2, 1).indices
        return mixed, point, small, sums, places


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "i": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.arange(n * 3).reshape(n, 3) - 2
