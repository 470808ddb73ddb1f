"""
title: cumsum, softmax, sort and std along dim=-2 and dim=-3
description: >
  The dimension before the last is -2, the one before it -3. All dimensions have the same size
  here, so no shape tells when the wrong one is used.
tags: [torch.sweep]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        totals = x.cumsum(-2), x.cumprod(-3), x.logcumsumexp(-2)
        extremes = *x.cummax(-2), *x.cummin(-3)
        shares = x.softmax(-2), x.log_softmax(-3), torch.nn.functional.normalize(x, dim=-2)
        order = *x.sort(-2), x.argsort(-3, descending=True), x.argmax(-2), x.argmin(-3)
        turned = x.flip(-2), x.roll(1, -2), x.diff(dim=-3), x.transpose(-3, -1), x.movedim(-1, -3)
        reduced = x.std(-2), x.logsumexp(-3), x.prod(-2), x.median(-2).values, x.norm(dim=-3)
        rows = x.unbind(-2)
        return totals, extremes, shares, order, turned, reduced, torch.stack(rows, -3)


def inputs():
    return (torch.randn(3, 3, 3),)
