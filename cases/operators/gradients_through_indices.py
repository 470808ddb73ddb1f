"""
title: Gradients through embedding, gather, index and sorting
description: >
  A row that is taken twice gets both gradients, one that is never taken gets zeros and not None,
  and the padding row of an embedding gets none.
tags: [torch.sweep, torch.autograd, torch.scatter, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(6, 3, padding_idx=2)

    def forward(self, x, index):
        order = x.sort(dim=0).values, x.max(0).values, x.amax(1), x.topk(1, 0).values, x.norm(dim=1)
        taken = x[index], x.index_select(0, index), x.gather(0, index[:, None].expand(-1, 3))
        return self.table(index), taken, order, torch.zeros(6, 3).index_add(0, index, x[index])


dynamic_shapes = {"x": None, "index": {0: Dim("n", min=1, max=16)}}


def inputs(n=7):
    return torch.randn(6, 3, requires_grad=True), torch.arange(n) * 2 % 5
