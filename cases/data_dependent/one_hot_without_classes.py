"""
title: one_hot without num_classes
description: >
  How often the most frequent label occurs, by one_hot. Left to itself it has as many columns as the
  largest label plus one, a size that depends on data. A model knows its number of classes, and
  passing it gives the result a fixed width.
tags: [torch.data-dependent-shape]
requires: [values]
rewrites: [data_dependent/one_hot_with_classes]
pitfalls: [data_dependent/one_hot_classes_from_data]
errors: [E0002, E0014]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, labels):
        return torch.nn.functional.one_hot(labels).sum(0).max()


def inputs():
    return torch.tensor([3, 1, 4, 1])


def accepts():
    yield torch.tensor([0, 0, 0, 0])
    yield torch.tensor([1, 6, 2, 2])


def rejects():
    yield torch.tensor([1, -2, 3, 3])
