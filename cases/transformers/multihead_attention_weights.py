"""
title: nn.MultiheadAttention with a padding mask, weights returned
description: >
  The module projects, attends and returns the weights averaged over its heads. Padded keys get the
  weight 0. The length is dynamic.
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


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {1: n}, "padding": {1: n}}


def inputs(n=5):
    return torch.randn(3, n, 6), torch.arange(n) > torch.arange(3)[:, None]
