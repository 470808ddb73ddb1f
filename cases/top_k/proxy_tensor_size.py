"""
title: topk with k as the size of a proxy tensor
description: >
  Sizes of tensors can be symbols where ints cannot: the caller passes a tensor whose only purpose
  is its length, and k is that length. Any exporter that knows dynamic sizes can keep k symbolic.
tags: [torch.dynamic-shape, torch.zero-one]
references: [pytorch#146990]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, proxy):
        values, _ = torch.topk(x, proxy.shape[0])
        return values


dynamic_shapes = {"x": None, "proxy": {0: Dim("k", min=0, max=100)}}


def inputs(k=5):
    return torch.randn(100), torch.zeros(k)
