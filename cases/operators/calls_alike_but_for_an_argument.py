"""
title: The same function called twice, with another number, keyword or mode
description: >
  Calls that are equal need to be made once. These have the same tensors and differ in what else
  they are told: the rounding, the other end of a limit, whether the order is kept, which of two
  formulas is meant.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, y):
        rounded = [torch.div(x, y, rounding_mode=mode) for mode in (None, "floor", "trunc")]
        added = x + y, torch.add(x, y, alpha=2), torch.sub(x, y), torch.sub(x, y, alpha=-1)
        limited = x.clamp(min=0.5), x.clamp(max=0.5), x.clamp(-0.5, 0.5), x.round(decimals=1)
        curves = F.gelu(x), F.gelu(x, approximate="tanh"), F.elu(x), F.elu(x, 2.0)
        spread = x.var(1), x.var(1, correction=0), x.var(1, correction=2)
        order = x.sort(1)[0], x.sort(1, descending=True)[0], x.roll(1, 1), x.roll(-1, 1)
        places = x.sum(1), x.sum(1, dtype=torch.float64), x.tril(), x.tril(1)
        losses = F.huber_loss(x, y), F.huber_loss(x, y, delta=0.5), x.norm(1, dim=1)
        return rounded, added, limited, curves, spread, order, places, losses


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)
