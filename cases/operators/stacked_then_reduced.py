"""
title: Tensors stacked and then added up, averaged or compared
description: >
  The sum over the stacked dimension is the sum of the tensors. Over another it is not, a mean
  divides by their number and a maximum passes NaN on; what is concatenated is added within each
  part too.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, z):
        three = torch.stack([x, y, z])
        across = three.sum(0), three.mean(0), three.amax(0), three.prod(0), three.median(0)[0]
        within = three.sum(1), three.mean(2), torch.stack([x, y, z], 1).sum(2), three.std(0)
        joined = torch.cat([x, y, z], 1)
        parts = joined.sum(1), joined.mean(1), joined.amax(1), joined.sum(0), joined.argmax(1)
        return across, within, parts, torch.cat([x, y[:, :1]], 1).mean(1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "z": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4), torch.randn(n, 4)


def accepts():
    gap = torch.tensor([[1.0, float("nan"), -2.0, 0.5]])
    yield gap, -gap, torch.ones(1, 4)
