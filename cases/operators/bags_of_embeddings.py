"""
title: Bags of embeddings that are summed, averaged, weighted and padded
description: >
  A bag is summed, averaged or its maximum taken; each entry may have a weight, entries that pad
  count nowhere, and the offsets may name the end of the last bag too.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.linspace(-2, 3, 40).reshape(10, 4).sin())

    def forward(self, ids, weights):
        flat, starts = ids.flatten(), torch.arange(ids.shape[0] + 1) * ids.shape[1]
        sums = F.embedding_bag(ids, self.table, mode="sum", per_sample_weights=weights)
        means = F.embedding_bag(ids, self.table, padding_idx=3)
        most = F.embedding_bag(ids, self.table, mode="max")
        ends = F.embedding_bag(flat, self.table, starts, mode="sum", include_last_offset=True)
        return sums, means, most, ends


n = Dim("n", min=2, max=16)
dynamic_shapes = {"ids": {0: n}, "weights": {0: n}}


def inputs(n=5):
    return torch.arange(n * 3).reshape(n, 3) * 7 % 10, torch.rand(n, 3)
