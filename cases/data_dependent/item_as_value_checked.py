"""
title: Constraining a value that is no size with torch._check
description: >
  The number read from the tensor is added, not used as a size, so it may be negative. torch._check
  bounds it from both sides, and the bounds have to hold at every call.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
dims: {k: {min: 0, max: 7}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        offset = k.item()
        torch._check(offset >= -3)
        torch._check(offset <= 7)
        return x + offset


def inputs(k=4):
    return torch.randn(3), torch.tensor(k)


def accepts():
    yield torch.randn(3), torch.tensor(-3)


def rejects():
    yield torch.randn(3), torch.tensor(-4)
    yield torch.randn(3), torch.tensor(8)
