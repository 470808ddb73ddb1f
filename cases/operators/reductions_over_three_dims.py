"""
title: mean, sum, var, amax and norm over three dims of four
description: >
  Each sample of a batch is reduced as a whole, by dims counted from the front, from the end and
  out of order, kept or dropped. A mean divides by all the sizes that it reduces.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        whole = x.mean((1, 2, 3)), x.sum((-1, -2, -3), keepdim=True), x.var((3, 1, 2), correction=0)
        channels = x.mean((0, 2, 3), keepdim=True), x.std((0, 2, 3)), x.amax((0, -1, -2))
        size = torch.linalg.vector_norm(x, dim=(1, 2, 3)), x.logsumexp((1, 2, 3))
        centred = (x - channels[0]) / (channels[1][:, None, None] + 1)
        return whole, channels, size, centred, torch.count_nonzero(x, (1, 2, 3))


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}}


def inputs(n=5):
    return (torch.randn(n, 3, 4, 6),)
