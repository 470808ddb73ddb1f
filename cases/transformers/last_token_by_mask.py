"""
title: Logits of the last token of each row
description: >
  The number of tokens in a row says where its last one is. Indexing with an arange of the rows and
  a tensor of places picks one vector from each row.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, hidden, tokens):
        last = tokens.sum(-1) - 1
        return hidden[torch.arange(hidden.shape[0]), last]


batch, n = Dim("batch", min=1, max=8), Dim("n", min=1, max=16)
dynamic_shapes = {"hidden": {0: batch, 1: n}, "tokens": {0: batch, 1: n}}


def inputs(batch=3, n=5):
    tokens = torch.arange(n) <= torch.randint(n, (batch, 1))
    return torch.randn(batch, n, 4), tokens
