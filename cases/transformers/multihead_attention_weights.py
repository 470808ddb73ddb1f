"""
title: nn.MultiheadAttention with a padding mask, weights returned
description: >
  The module projects, attends and returns the weights averaged over its heads. Padded keys get the
  weight 0. Batch and length are dynamic.
tags: [torch.attention, torch.module, torch.dynamic-shape]
requires: [attention]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(6, num_heads=2, batch_first=True)

    def forward(self, x, padding):
        return self.attention(x, x, x, key_padding_mask=padding)


batch, n = Dim("batch", min=1, max=8), Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: batch, 1: n}, "padding": {0: batch, 1: n}}


def inputs(batch=3, n=5):
    return torch.randn(batch, n, 6), torch.arange(n) > torch.arange(batch)[:, None]
