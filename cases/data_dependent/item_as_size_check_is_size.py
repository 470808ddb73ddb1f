"""
title: Constraining a value as a size with torch._check_is_size
description: >
  The older spelling of torch._check(size >= 0), with an optional maximum. It is deprecated in
  favour of plain torch._check.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values, torch>=2.8]
rewrites: [data_dependent/item_as_size_checked]
dims: {k: {min: 0, max: 5}}
errors: [E0506]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, k):
        size = k.item()
        torch._check_is_size(size, max=5)
        return torch.ones(size, 3)


def inputs(k=4):
    return torch.tensor(k)


def rejects():
    yield torch.tensor(-1)
    yield torch.tensor(100)
