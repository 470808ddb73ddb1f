"""
title: 'Masked by a product or by a choice: what is infinite or NaN where the mask is off'
description: >
  Nought times infinity is NaN, so a product with the mask lets through what where and masked_fill
  leave out. A pass that makes one of the other, or replaces infinity by a large number, shows in
  padded rows.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, mask):
        product = x * mask, x * mask.to(x.dtype), x * mask + y * ~mask
        chosen = torch.where(mask, x, 0.0), x.masked_fill(~mask, 0.0), torch.where(mask, x, y)
        totals = (x * mask).sum(1), torch.where(mask, x, 0.0).sum(1), x.mul(mask).amax(1)
        scores = [x.masked_fill(~mask, -torch.inf), x + (1.0 - 1.0 * mask) * -1e4]
        means = (x * mask).sum(1) / mask.sum(1), (x * mask).sum(1) / mask.sum(1).clamp(min=1)
        return product, chosen, totals, [s.softmax(1) for s in scores], means


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "mask": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4), torch.arange(n * 4).view(n, 4) % 3 > 0


def accepts():
    inf, nan = torch.inf, torch.nan
    x = torch.tensor([[inf, 1.0, nan, -2.0], [-3.0, nan, -inf, 0.0]])
    yield x, torch.ones(2, 4), torch.tensor([[False, True, False, True]] * 2)
    yield x[:1], -x[:1], torch.zeros(1, 4, dtype=torch.bool)
