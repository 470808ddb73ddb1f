"""
title: Indices and counts in a tensor of more than 65,536 elements
description: >
  A kernel whose indices or counts have 16 bits, or which launches one block for each row, goes
  wrong before the end of this signal.
tags: [torch.sweep]
requires: [values]
tolerance: {rtol: 0.0001, atol: 0.001}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        bins = (x * 3).long().clamp(0, 9)
        places = x.argmax(), x.argmin(), x.topk(3).indices, x.argsort()[-5:], x.sort().indices[:5]
        counts = bins.bincount(), (x > 0).sum(), bins.sum(), x.count_nonzero(), (x > 0).cumsum(0)
        found = (
            torch.searchsorted(torch.arange(70_003.0), x.abs() * 20_000),
            torch.arange(70_003)[-3:],
        )
        ends = (
            x.flip(0)[:3],
            x.roll(5)[:7],
            x.view(-1, 23).sum(1)[-3:],
            x.cumsum(0)[-1:],
            x[65_530:65_540],
        )
        return places, counts, found, ends


def inputs():
    return torch.linspace(-1, 1, 70_003 + 9).mul(400).sin().add(torch.linspace(0, 1, 70_012))


def accepts():
    yield torch.linspace(0, 3, 70_012)
    yield torch.linspace(3, -1, 70_012)
