"""
title: topk with k as the size of a proxy tensor on the meta device
description: >
  The proxy tensor that carries k in its length need not hold data: on the meta device it costs
  nothing, however long. The program then has inputs on two devices.
tags: [torch.dynamic-shape, torch.device, torch.zero-one]
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
    return torch.randn(100), torch.empty(k, device="meta")
