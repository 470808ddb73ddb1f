"""
title: Joined, split, ordered and reduced along a dimension in the middle
description: >
  Neither the first nor the last dimension, named from either end. Only there is the distance
  from one element to the next neither one nor a whole row.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        joined = [torch.cat([x, x + 1], -2), torch.stack([x, -x], 2), torch.stack([x, -x], -2)]
        joined += [x.repeat(1, 2, 1)]
        parts = [x.split([1, 2], -2), x.chunk(2, 1), x.unbind(-2), x.tensor_split([1], -2)]
        parts += [x.narrow(-2, 1, 2)]
        order = [x.topk(2, -2), x.topk(1, 1, largest=False), x.sort(1, descending=True)]
        order += [x.argmax(-2), x.argmin(1)]
        totals = [x.cummax(-2), x.cummin(1), x.logcumsumexp(1), x.cumprod(-2), x.median(-2)]
        totals += [x.mode(1), x.prod(1)]
        tests = [(x > 0).all(1), (x > 1).any(-2), (x > 0).count_nonzero(1), F.glu(x[:, :2], -2)]
        tests += [F.softmax(x, 1)]
        moved = [x.flip(-2), x.roll(0, 1), x.squeeze((0, 1)), x[:1].squeeze((0, 1)), x.flip(())]
        moved += [x.rot90(-1, (0, 2))]
        rest = [x.unfold(1, 2, 1), x.renorm(1, 1, 0.5), x.diff(dim=-2)]
        return joined, parts, order, totals, tests, moved, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 3, 4),)
