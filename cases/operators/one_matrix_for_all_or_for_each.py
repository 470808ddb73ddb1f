"""
title: Batches multiplied by one matrix for all, or by a matrix for each
description: >
  A matrix that is expanded over the batch makes one large product of all rows; one for each
  element does not, and one on the left multiplies the other dimension. A vector drops a dimension
  where a column keeps it.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, w, each):
        n = x.shape[0]
        right = torch.bmm(x, w.expand(n, -1, -1)), x @ w, torch.bmm(x, each), x @ each[:1]
        left = torch.bmm(w.expand(n, -1, -1), x), w @ x, each @ x, w.mT @ x, x.mT @ w
        vectors = x @ w[0], x @ w[:1].mT, w[0] @ x, x[:, 0] @ w, x[0] @ each
        shared = x @ x.mT, x @ x, torch.einsum("nij,nkj->ik", x, each)
        return right, left, vectors, shared, x.flatten(0, 1) @ w


n = Dim("n", min=2, max=8)
dynamic_shapes = {"x": {0: n}, "w": None, "each": {0: n}}


def inputs(n=3):
    return torch.randn(n, 4, 4), torch.randn(4, 4), torch.randn(n, 4, 4)
