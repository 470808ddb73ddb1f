"""
title: topk with k read from an input tensor by item()
description: >
  k arrives as a tensor and becomes a Python number by item(). While tracing it has no value, only
  a symbol without a hint; the two checks say what topk has to know about it, and must also hold
  when the capture runs.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
references: [pytorch#49826, pytorch#146990]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        k = k.item()
        torch._check(k >= 0)
        torch._check(k <= x.shape[0])
        values, _ = torch.topk(x, k)
        return values


def inputs():
    return torch.randn(100), torch.tensor(5)


def accepts():
    for k in (0, 1, 2, 50, 100):
        yield torch.randn(100), torch.tensor(k)


def rejects():
    yield torch.randn(100), torch.tensor(-1)
    yield torch.randn(100), torch.tensor(101)
