"""
title: 'Mean of means, maximum of maxima: the same dimension number twice'
description: >
  After the first reduction the dimensions behind it have moved up, so that mean(1).mean(1) is
  over two of them. The mean of the means of unequal parts is not that of the whole, nor is a
  deviation of deviations.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        same = x.mean(1).mean(1), x.amax(0).amax(0), x.sum(0).sum(1), x.sum(-1).sum(-1)
        kept = x.sum(0, keepdim=True).sum(1), x.mean(2, keepdim=True).mean(1)
        mixed = x.mean(1).sum(1), x.sum(2).mean(0), x.amax(1).mean(1), x.var(1).mean(0)
        parts = torch.stack([x[:, :3].mean(1), x[:, 3:].mean(1)]).mean(0), x.std(1).std(0)
        return same, kept, mixed, parts, x.logsumexp(1).logsumexp(1), (x > 0).any(1).all(1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 4, 5),)
