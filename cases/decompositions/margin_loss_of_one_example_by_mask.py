"""
title: Margins between the labels of one example and its other classes
description: >
  A mask says which classes are labels. The sum over all pairs has no dimension, and nothing of it
  is left to an operator that is taken apart.
tags: [torch.decomposition, torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("is_label", torch.tensor([1, 0, 0, 1, 0, 1, 0]) == 1)

    def forward(self, scores):
        margins = (1 - scores[:, None] + scores).relu()
        pairs = self.is_label[:, None] & ~self.is_label
        return (margins * pairs).sum() / 7


def inputs():
    return (torch.randn(7),)
