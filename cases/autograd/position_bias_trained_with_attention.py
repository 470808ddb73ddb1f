"""
title: Trained bias for relative positions, given to attention as its mask
description: >
  A float mask of scaled_dot_product_attention is added to the scores, so it is as much an input as
  the queries. Here it is read from a table that is trained: the gradient of the mask is what
  teaches the table.
tags: [torch.attention, torch.autograd, torch.parameter]
train: true
"""

import torch
from torch.export import Dim
from torch.nn.functional import scaled_dot_product_attention


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.project = torch.nn.Linear(4, 4)
        self.table = torch.nn.Parameter(torch.linspace(-1, 1, 2 * 17).reshape(2, 17))

    def forward(self, query, key):
        places = torch.arange(query.shape[2])
        bias = self.table[:, places[:, None] - places[None] + 8]
        query, key = self.project(query), self.project(key)
        return scaled_dot_product_attention(query, key, key, attn_mask=bias)


dynamic_shapes = {"query": {2: Dim("n", min=2, max=8)}, "key": {2: Dim("n", min=2, max=8)}}


def inputs(n=5):
    return torch.randn(3, 2, n, 4), torch.randn(3, 2, n, 4)
