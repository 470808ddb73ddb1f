"""
title: Two sizes that add up to a constant, found by Dim.AUTO
description: >
  With Dim.AUTO tracing itself finds that the sizes make 24 together and records this as a
  condition on both. A call whose sizes make another sum has to be refused.
tags: [torch.dynamic-shape, torch.dim-hint, torch.guard]
dims: {tokens: {min: 2, max: 20}}
references: [pytorch#172561]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return torch.cat([cache, x]) * torch.arange(24) / x.shape[0]


dynamic_shapes = {"x": {0: Dim.AUTO}, "cache": {0: Dim.AUTO}}


def inputs(tokens=7):
    return torch.randn(tokens), torch.randn(24 - tokens)


def rejects():
    yield torch.randn(7), torch.randn(16)
