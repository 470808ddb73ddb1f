"""
title: Constraining a value as a size with torch._check
description: >
  torch._check says which values may come. The engine reasons with it while tracing, and the graph
  keeps it as an assertion, so a value outside of it is refused at run time.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
dims: {k: {min: 0, max: 5}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, k):
        size = k.item()
        torch._check(size >= 0)
        torch._check(size <= 5)
        return torch.ones(size, 3)


def inputs(k=4):
    return torch.tensor(k)


def rejects():
    yield torch.tensor(-1)
    yield torch.tensor(100)
