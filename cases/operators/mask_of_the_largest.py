"""
title: 'Mask of the largest by comparison, by argmax and by topk: ties'
description: >
  x == x.amax marks every one of the largest, a one at the argmax the first of them, and a
  comparison with the k-th of topk all that equal it. NaN is the largest and equals nothing.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        compared = x == x.amax(1, keepdim=True), x >= x.amax(0), x == x.abs().amax(1, keepdim=True)
        place = x.argmax(1, keepdim=True)
        first = F.one_hot(x.argmax(1), 4), (x * 0).scatter(1, place, 1.0), x.gather(1, place)
        several = x >= x.topk(2, 1)[0][:, -1:], x > x.topk(2, 1)[0][:, 1:]
        best = x.max(1)[0], x.topk(1, 1)[0], x.softmax(1).argmax(1), x.abs().argmax(1)
        return compared, first, several, best, x.amax(1).argmax()


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)


def accepts():
    gap = [1.0, torch.nan, 2.0, 2.0]
    yield (torch.tensor([[2.0, 3.0, 3.0, 1.0], [-5.0, 0.0, 0.0, -1.0], gap]),)
