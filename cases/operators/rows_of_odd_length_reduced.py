"""
title: Max, prod and mean over rows of odd length, all negative or all positive
description: >
  A kernel that pads its last block with zeros finds a maximum of zero in a row of negative
  numbers, a product of zero, or a mean that is too small. Rows that are longer than a block show
  errors between blocks.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, long):
        ends = x.amax(1), x.amin(1), x.max(1), x.min(0), x.argmax(1), x.argmin(1), x.logsumexp(1)
        all_of = x.prod(1), x.mean(1), x.var(1), x.std(0), (x != 0).all(1), x.sum(), x.median(1)
        ranks = x.sort(1), x.topk(2, 1), x.argsort(0), x.softmax(1), x.log_softmax(1), x.cummax(1)
        joined = long.argmax(1), long.argmin(1), long.var(1), long.softmax(1), long.cumsum(1)
        return ends, all_of, ranks, joined, long.std(1), long.logsumexp(1), long.sort(1).indices


n = Dim("n", min=2, max=40)
dynamic_shapes = {"x": {0: n}, "long": {0: n}}


def inputs(n=7):
    return torch.randn(n, 5), torch.randn(n, 71)


def accepts():
    rows = torch.linspace(1, 3, 25).reshape(5, 5)
    rising = torch.linspace(-20, 20, 355).reshape(5, 71)
    yield rows, rising
    yield -rows, -rising
