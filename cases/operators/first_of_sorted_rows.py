"""
title: First, last or first few of what was sorted, along either dimension
description: >
  The first of sorted values is the least, the first few are a topk, and the places of equal
  values depend on the order being kept. Sorted along one dimension and cut along another it is
  neither.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        rising, places = x.sort(dim=1, stable=True)
        ends = rising[:, 0], rising[:, -1], rising[0], x.sort(0, descending=True)[0][0]
        few = rising[:, :2], rising[:, -2:], places[:, :2], rising[:2], x.sort(1, True)[0][:, :2]
        middle = rising[:, 2], x.topk(1, 1)[0].squeeze(1), x.topk(3, 1, largest=False)[0][:, -1]
        absolute = x.abs().sort(1)[0][:, -1], x.topk(2, 1)[0].sum(1), x.kthvalue(3, 1)[0]
        return ends, few, middle, absolute, x.argsort(dim=1, stable=True)[:, 0]


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 5),)


def accepts():
    yield (torch.tensor([3.0, 1.0, float("nan"), -2.0, 1.5]).repeat(3, 1).cumsum(0),)
