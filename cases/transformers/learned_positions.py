"""
title: Learned position embedding, sequences no longer than its table
description: >
  The table has twelve rows, and longer sequences are an error of the embedding. The declared range
  ends where the table does; a capture has to refuse what lies behind it, not read past the end.
tags: [torch.attention, torch.dynamic-shape, torch.parameter]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.positions = torch.nn.Embedding(12, 4)

    def forward(self, x):
        return x + self.positions(torch.arange(x.shape[1]))


dynamic_shapes = {"x": {1: Dim("n", min=1, max=12)}}


def inputs(n=5):
    return (torch.randn(2, n, 4),)


def rejects():
    yield (torch.randn(2, 13, 4),)
