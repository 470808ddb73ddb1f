"""
title: bincount
description: >
  The most frequent label and its count. The result of bincount is as long as the largest label
  plus one, so its length depends on data, also where minlength is given: that is only a lower
  bound.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/counts_by_index_add]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, labels):
        counts = torch.bincount(labels, minlength=4)
        return counts.argmax(), counts.max()


def inputs():
    return torch.tensor([2, 0, 5, 2, 5, 5])


def accepts():
    yield torch.tensor([0, 0, 1, 0, 0, 1])
    yield torch.tensor([3, 8, 3, 1, 3, 7])
    yield torch.tensor([3, 2, 3, 1, 1, 1])


def rejects():
    yield torch.tensor([3, -1, 3, 1, 1, 7])
