"""
title: addmm of a square product with a row, and matmul with one batched side
description: >
  What is added to the product is a row, and since the product is square a column would fit as
  well. In the other products only one side has a batch, or each has its own.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, row):
        one, two = x[0], x[1]
        added = torch.addmm(row, one, two), torch.baddbmm(row, x, x.mT, beta=0.5, alpha=2)
        mixed = one @ x, x @ one, torch.matmul(one, x[:, None]), torch.matmul(x[:, None], x)
        return added, mixed, torch.addmv(row, one, two[0]), torch.addr(one, row, two[0])


dynamic_shapes = {"x": {0: Dim("batch", min=2, max=8)}, "row": {}}


def inputs(batch=3):
    return torch.randn(batch, 4, 4), torch.randn(4)
