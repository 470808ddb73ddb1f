"""
title: Two signals interleaved by slice assignment with step 2
description: >
  One signal is written to the even positions of a new tensor and the other to the odd ones. Rows
  are then reversed within the same tensor, by way of a copy.
tags: [torch.mutation, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, left, right):
        n = left.shape[0]
        out = torch.zeros(2 * n, 3)
        out[::2] = left
        out[1::2] = right
        out[:, 1::2] += 1
        pairs = out.reshape(n, 2, 3)
        sums = pairs.sum(1)
        pairs[:, 0] = pairs[:, 1].clone()
        out[1:] = out[:-1].clone()
        return out, sums


n = Dim("n", min=2, max=16)
dynamic_shapes = {"left": {0: n}, "right": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)
