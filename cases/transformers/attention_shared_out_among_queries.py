"""
title: 'Slot attention: softmax over the queries, then a mean over the keys'
description: >
  The slots compete for each place of the image, so the softmax goes along the queries, and the
  weights are then divided by their sum over the keys. A pass that takes every softmax between two
  products for attention has neither.
tags: [torch.attention, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, slots, keys, values):
        scores = slots @ keys.mT * slots.shape[-1] ** -0.5
        shares = scores.softmax(-2) + 1e-6
        return shares / shares.sum(-1, keepdim=True) @ values, scores.softmax(1) @ values


n = Dim("n", min=1, max=32)
dynamic_shapes = {"slots": None, "keys": {1: n}, "values": {1: n}}


def inputs(n=7):
    return torch.randn(2, 5, 6), torch.randn(2, n, 6), torch.randn(2, n, 4)
