"""
title: Low-rank adapter chosen for each row of a batch
description: >
  All adapters are stacked in two tensors, and each row brings the number of its own. Indexing
  gives every row its pair of small matrices, so one capture serves all adapters and mixtures.
tags: [torch.scatter, torch.dynamic-shape, torch.parameter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.base = torch.nn.Linear(3, 4)
        self.down = torch.nn.Parameter(torch.randn(6, 3, 2))
        self.up = torch.nn.Parameter(torch.randn(6, 2, 4))

    def forward(self, x, adapter):
        low = torch.bmm(x[:, None], self.down[adapter])
        return self.base(x) + torch.bmm(low, self.up[adapter])[:, 0]


batch = Dim("batch", min=1, max=8)
dynamic_shapes = {"x": {0: batch}, "adapter": {0: batch}}


def inputs(batch=5):
    return torch.randn(batch, 3), torch.arange(batch) % 6


def rejects():
    yield torch.randn(5, 3), torch.tensor([0, 1, 6, 2, 3])
