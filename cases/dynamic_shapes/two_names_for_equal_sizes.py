"""
title: Two Dims for sizes that must be equal
description: >
  Each input has a Dim of its own, but the addition needs both to be equally long: the sizes do
  not vary on their own, which is what two names declare. The suggested fix is to give both inputs
  the same Dim.
tags: [torch.shared-dim, torch.dynamic-shape, torch.guard]
rewrites: [dynamic_shapes/one_name_for_equal_sizes]
errors: [E0113]
allow:
  L025: two Dims stand for one size here, which is the mistake shown
  L057: two Dims stand for one size here, which is the mistake shown
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return (x + y).sum(0) / x.shape[0]


n, m = Dim("n", min=2, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: m}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)


def rejects():
    yield torch.randn(5, 3), torch.randn(6, 3)
    yield torch.randn(4, 3), torch.randn(3, 3)
