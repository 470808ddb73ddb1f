"""
title: 'isnan, nansum, nan_to_num, fmax: NaN and infinity found, replaced, skipped'
description: >
  maximum passes NaN on and fmax skips it; nansum and nanmean skip it, nan_to_num replaces it. A
  backend that computes as if every number were finite gives something else.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        found = x.isnan(), x.isinf(), x.isfinite(), x.isposinf(), x.isneginf()
        pairs = torch.maximum(x, y), torch.minimum(x, y), torch.fmax(x, y), torch.fmin(x, y)
        skipped = x.nansum(1), x.nanmean(1), x.nan_to_num(nan=0.5, posinf=9.0, neginf=-8.0)
        return found, pairs, skipped, torch.isclose(x, y, equal_nan=True)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)


def accepts():
    bad = torch.tensor([[float("nan"), float("inf"), 1.0], [float("-inf"), 2.0, float("nan")]])
    yield bad, bad.flip(1)
    yield bad, bad.clone()
