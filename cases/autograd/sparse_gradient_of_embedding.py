"""
title: Embedding whose gradient is sparse, nn.Embedding(sparse=True)
description: >
  The gradient of the table holds only the rows that were looked up, one entry for each time, as
  optimizers for large tables (SparseAdam) ask for.
tags: [torch.autograd, torch.sparse, torch.dynamic-shape]
requires: [sparse]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(9, 3, sparse=True)

    def forward(self, ids):
        return self.table(ids).tanh()


dynamic_shapes = {"ids": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.arange(n) ** 2 % 7,)
