"""
title: A tensor expanded or repeated and then reduced over that dimension
description: >
  The mean of copies is the tensor, their sum that many times it, their product a power, their
  variance zero. repeat puts whole copies one after another, repeat_interleave each element, so
  that other elements meet.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rows = x[:, None].expand(-1, 3, -1)
        totals = rows.sum(1), rows.mean(1), rows.prod(1), rows.var(1), rows.logsumexp(1)
        others = rows.sum(0), rows.sum(2), rows.softmax(1), rows.cumsum(1), rows.argmax(2)
        tiled = x.repeat(2, 1).sum(0), x.repeat(1, 2).mean(1), x.repeat(2, 1).std(0)
        pairs = x.repeat(1, 2), x.repeat_interleave(2, 1)
        return totals, others, tiled, [p.unflatten(1, (2, -1)).sum(1) for p in pairs]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
