"""
title: narrow to a value of a tensor and a margin of five
description: >
  The length of the window is the number from the tensor plus five. That the window lies inside of
  the tensor is a statement about the sum, which torch._check makes.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
rewrites: [data_dependent/window_with_margin_masked]
dims: {k: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        length = k.item() + 5
        torch._check(length >= 5)
        torch._check(length <= x.shape[0])
        return x.narrow(0, 0, length).sum(0)


def inputs(k=4):
    return torch.randn(12, 3), torch.tensor(k)


def rejects():
    yield torch.randn(12, 3), torch.tensor(-1)
    yield torch.randn(12, 3), torch.tensor(8)
