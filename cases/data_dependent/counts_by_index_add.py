"""
title: Counting labels with index_add into a tensor of fixed length
description: >
  A model knows how many labels there are. Ones are added into a tensor of that length at the place
  of each label; labels that do not occur keep the count 0.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, labels):
        counts = torch.zeros(9, dtype=labels.dtype, device=labels.device)
        counts = counts.index_add(0, labels, torch.ones_like(labels))
        return counts.argmax(), counts.max()


def inputs():
    return torch.tensor([2, 0, 5, 2, 5, 5])


def accepts():
    yield torch.tensor([0, 0, 1, 0, 0, 1])
    yield torch.tensor([3, 8, 3, 1, 3, 7])


def rejects():
    yield torch.tensor([3, -1, 3, 1, 1, 7])
    yield torch.tensor([3, 9, 3, 1, 1, 7])
