"""
title: "Margins between labels and other classes by a mask"
description: >
  A mask says which classes are labels, and the margins of all pairs are multiplied by it. Nothing
  of it is left to an operator that is taken apart.
tags: [torch.operator, torch.decomposition]
train: true
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("labels", torch.tensor([[3, 0, -1, 1], [2, -1, 0, 0], [1, 0, 2, -1]]))

    def forward(self, x):
        counts = (self.labels == -1).cumsum(1) == 0
        chosen = F.one_hot(self.labels.clamp(min=0), 4) * counts[:, :, None]
        labels = chosen.sum(1) > 0
        margins = (1 - x[:, :, None] + x[:, None]).relu()
        pairs = labels[:, :, None] & ~labels[:, None]
        return (margins * pairs).sum((1, 2)) / 4


def inputs():
    return (torch.randn(3, 4, requires_grad=True),)
