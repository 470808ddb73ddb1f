"""
title: one_hot with num_classes computed from the largest label
description: >
  Reading the largest label with item() and passing it on gives a symbol where the operator
  compares numbers: the width depends on data as before, and now the program reads it itself.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
errors: [E0002]
rewrites: [data_dependent/one_hot_with_classes]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, labels):
        classes = labels.max().item() + 1
        return torch.nn.functional.one_hot(labels, num_classes=classes).sum(0).max()


def inputs():
    return torch.tensor([3, 1, 4, 1])


def accepts():
    yield torch.tensor([0, 0, 0, 0])
    yield torch.tensor([1, 6, 2, 2])


def rejects():
    yield torch.tensor([1, -2, 3, 3])
