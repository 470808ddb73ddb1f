"""
title: Features concatenated before a layer, a norm, a softmax or an activation
description: >
  An activation of what is joined is the activations joined, and a linear layer adds up one
  product for each part. A norm, a softmax and a running sum see all parts together if they go
  along the joined dimension.
tags: [torch.sweep, torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.norm = torch.nn.Linear(6, 5), torch.nn.LayerNorm(6)

    def forward(self, x, y):
        joined, rows = torch.cat([x, y], -1), torch.cat([x, y[:, :2], -x])
        seen = joined.softmax(-1), self.norm(joined), joined.cumsum(-1), joined.flip(-1)
        along = rows.softmax(0), rows.cumsum(0), rows.flip(0), rows.sort(0)[0], rows.relu()
        return self.layer(joined), seen, along, joined.argmax(-1), joined.mT, joined.sigmoid()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=3):
    return torch.randn(n, 2), torch.randn(n, 4)
