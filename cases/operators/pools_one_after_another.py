"""
title: Two pools in a row, and an activation between or behind them
description: >
  Two maxima without overlap are one of a larger window; with padding, a stride of one or a ragged
  end they are not. Averages of averages weigh pixels at the border twice, and relu passes a
  maximum but not an average.
tags: [torch.sweep, torch.decomposition]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        largest = F.max_pool2d(F.max_pool2d(x, 2), 2), F.max_pool2d(F.max_pool2d(x, 3, 1, 1), 2, 1)
        ragged = F.max_pool2d(F.max_pool2d(x, 2, ceil_mode=True), 2, ceil_mode=True)
        average = F.avg_pool2d(F.avg_pool2d(x, 3, 2, 1), 2), F.avg_pool2d(F.max_pool2d(x, 2), 2)
        rough = F.adaptive_avg_pool2d(F.avg_pool2d(x, 2), 1), F.max_pool2d(F.avg_pool2d(x, 2), 2)
        clipped = F.avg_pool2d(x, 2).relu(), F.avg_pool2d(x.relu(), 2), F.max_pool2d(x.relu(), 2)
        return largest, ragged, average, rough, clipped, F.max_pool2d((x - 1).abs(), 2)


def inputs():
    return (torch.randn(2, 3, 7, 10),)


def accepts():
    yield (-torch.rand(2, 3, 7, 10) - 1,)
