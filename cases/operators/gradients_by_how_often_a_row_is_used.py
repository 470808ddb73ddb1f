"""
title: Gradients of embeddings by how often a row is used
description: >
  A row that is looked up twice shares its gradient among its uses or adds them up, as it was
  asked; the row for padding has none.
tags: [torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.nn.Parameter(torch.linspace(-1, 1, 18).reshape(6, 3))

    def forward(self, ids):
        seen = F.embedding(ids, self.table, padding_idx=3, scale_grad_by_freq=True)
        bags = F.embedding_bag(ids, self.table, mode="mean", scale_grad_by_freq=True)
        largest = F.embedding_bag(ids, self.table, mode="max", padding_idx=0)
        return seen, bags, largest, F.embedding_bag(ids, self.table, mode="sum", padding_idx=1)


dynamic_shapes = {"ids": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return (torch.arange(4 * n).reshape(n, 4) ** 2 % 5,)
