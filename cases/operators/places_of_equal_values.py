"""
title: median, cummax, sort and argmax where values are equal
description: >
  The median of an even number of values is the lower of the two in the middle, cummax gives the
  index of the last of equal values, a stable sort keeps their order when descending too, and
  argmax of a whole tensor can keep its dimensions.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        middle = x.median(), x.nanmedian(), x.flatten().quantile(0.4, interpolation="lower")
        running = x.cummax(1), x.cummin(0)
        down = (
            x.sort(dim=1, descending=True, stable=True),
            x.argsort(dim=0, descending=True, stable=True),
        )
        places = (x + torch.arange(4) * 8).argmax(keepdim=True), x.argmin(keepdim=True)
        return middle, running, down, places, x.mode(1).values, x.kthvalue(2, 1).values


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 4.0).reshape(n, 4) * 7 % 4,)


def accepts():
    yield (torch.tensor([[3.0, 0.0, 3.0, 0.0], [1.0, 1.0, 2.0, 2.0]]),)
