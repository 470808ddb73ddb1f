"""
title: Two Dims whose sizes always differ by one
description: >
  y holds the gaps between the entries of x, so it is one shorter. Two Dims say that the lengths
  vary on their own, and the error suggests both a derived dim and a smaller range. Declare the
  longer one as the shorter plus one.
tags: [torch.derived-dim, torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/offset_between_derived]
errors: [E0126]
allow:
  L025: two Dims stand for one size and its successor, which is the mistake shown
  L057: two Dims stand for one size and its successor, which is the mistake shown
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return ((x[1:] - x[:-1]) / y).sum() / y.shape[0]


entries, gaps = Dim("entries", min=3, max=17), Dim("gaps", min=2, max=16)
dynamic_shapes = {"x": {0: entries}, "y": {0: gaps}}


def inputs(gaps=5):
    return torch.randn(gaps + 1), torch.rand(gaps) + 1


def rejects():
    yield torch.randn(8), torch.rand(5) + 1
