"""
title: narrow with start and length from tensors
description: >
  A window whose place and length are data. narrow neither cuts nor wraps: the window has to lie
  inside of the tensor, which the checks say in terms of both values.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
dims: {start: {min: 0, max: 5}, length: {min: 0, max: 3}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, start, length):
        a, n = start.item(), length.item()
        torch._check(a >= 0)
        torch._check(n >= 0)
        torch._check(a + n <= x.shape[0])
        return x.narrow(0, a, n) * 2


def inputs(start=4, length=3):
    return torch.randn(8, 5), torch.tensor(start), torch.tensor(length)


def accepts():
    yield torch.randn(8, 5), torch.tensor(0), torch.tensor(8)
    yield torch.randn(8, 5), torch.tensor(8), torch.tensor(0)


def rejects():
    yield torch.randn(8, 5), torch.tensor(6), torch.tensor(3)
    yield torch.randn(8, 5), torch.tensor(-1), torch.tensor(2)
    yield torch.randn(8, 5), torch.tensor(2), torch.tensor(-1)
