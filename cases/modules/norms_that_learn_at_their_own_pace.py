"""
title: Batch norms with different momentum, one of them frozen by eval()
description: >
  Each layer updates its running statistics with its own momentum, and the layer that is in eval
  mode keeps them. Each layer in training mode also counts its batches.
tags: [torch.module, torch.buffer, torch.mutation]
# The channels are normalised over two equal numbers: what is left of them is rounding, 6e-5.
tolerance: {rtol: 1.3e-6, atol: 1.0e-4}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.quick = torch.nn.BatchNorm1d(3, momentum=0.6)
        self.slow = torch.nn.BatchNorm1d(3, momentum=0.01, affine=False)
        self.frozen = torch.nn.BatchNorm1d(3).eval()
        self.channels = torch.nn.InstanceNorm1d(3, momentum=0.3, track_running_stats=True)
        self.frozen.running_mean.fill_(0.5)

    def forward(self, x):
        y = self.quick(x) + self.slow(x)
        return y, self.frozen(x), self.channels(x[..., None].expand(-1, -1, 2) * x.sum())


def inputs():
    return (torch.randn(6, 3) * 2 + 1,)


def accepts():
    yield (torch.randn(6, 3) - 5,)
