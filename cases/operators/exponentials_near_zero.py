"""
title: Exponentials and logarithms near zero and of large numbers (expm1, log1p, logaddexp)
description: >
  expm1 and log1p exist because exp(x) - 1 and log(1 + x) lose all digits where x is small, and
  logaddexp because exp(x) overflows where x is large. A decomposition or kernel that writes them
  out the simple way is right for ordinary numbers and wrong here.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        small = torch.expm1(x), torch.log1p(x), torch.sinc(x)
        bases = torch.exp2(x), torch.log2(x), torch.log10(x), torch.exp(x), torch.log(x)
        return small, bases, torch.logaddexp(x, x * 2), torch.logaddexp2(x, x * 2)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.rand(n, 3),)


def accepts():
    yield (torch.rand(4, 3) * 1e-6,)
    yield (torch.rand(4, 3) * 50 + 40,)
