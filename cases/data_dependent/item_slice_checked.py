"""
title: Slicing up to a value of a tensor, with its bounds checked
description: >
  With the value known to lie between 0 and the length of the tensor, the size of the slice is the
  value itself. Others are refused at run time.
tags: [torch.item, torch.unbacked-symbol, torch.check, torch.view]
requires: [values]
dims: {k: {min: 0, max: 8}}
references: [pytorch#119587]
errors: [E0504]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        end = k.item()
        torch._check(end >= 0)
        torch._check(end <= x.shape[0])
        return x[:end] * 2


def inputs(k=4):
    return torch.randn(8, 3), torch.tensor(k)


def rejects():
    yield torch.randn(8, 3), torch.tensor(9)
    yield torch.randn(8, 3), torch.tensor(-1)
