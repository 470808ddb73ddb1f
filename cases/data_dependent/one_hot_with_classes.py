"""
title: one_hot with num_classes
description: >
  The number of classes is given, so the result has a width that is known while tracing. A label
  outside of the classes is refused at every call.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, labels):
        return torch.nn.functional.one_hot(labels, num_classes=7).sum(0).max()


def inputs():
    return torch.tensor([3, 1, 4, 1])


def accepts():
    yield torch.tensor([0, 0, 0, 0])
    yield torch.tensor([1, 6, 2, 2])


def rejects():
    yield torch.tensor([1, -2, 3, 3])
    yield torch.tensor([1, 7, 3, 3])
