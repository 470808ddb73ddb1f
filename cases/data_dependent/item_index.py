"""
title: Index read from a tensor, with its bounds checked
description: >
  The index is a symbol without a hint, so whether it lies inside of the tensor, or counts from the
  end, is open. torch._check settles both, and an index outside is refused at run time.
tags: [torch.item, torch.unbacked-symbol, torch.check]
requires: [values]
dims: {k: {min: 0, max: 7}}
rewrites: [data_dependent/index_tensor]
errors: [E0110]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        index = k.item()
        torch._check(index >= 0)
        torch._check(index < x.shape[0])
        return x[index]


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def rejects():
    yield torch.randn(8, 3), torch.tensor(8)
    yield torch.randn(8, 3), torch.tensor(-1)
