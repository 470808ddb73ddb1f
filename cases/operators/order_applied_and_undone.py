"""
title: Rows put in order, worked on and put back where they were
description: >
  The argsort of an argsort is the rank, and takes a sorted row back. A gather by the order
  itself, twice, does not, nor does it where the order goes along another dimension; an index that
  repeats has no way back.
tags: [torch.sweep, torch.scatter, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, order):
        places = x.argsort(1)
        ranks = places.argsort(1)
        there = x.gather(1, places)
        back = there.gather(1, ranks), there.gather(1, places), (x * 0).scatter(1, places, there)
        rows = x[order][order.argsort()], x[order][order], x[order.argsort()], x[:, places[0]]
        steps = there.cumsum(1).gather(1, ranks), x.gather(1, places[:, :2])
        return ranks, back, rows, steps, x.sort(1)[0].gather(1, x.sort(1)[1])


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "order": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n).roll(2)


def accepts():
    yield torch.randn(4, 4), torch.tensor([2, 0, 3, 1])
