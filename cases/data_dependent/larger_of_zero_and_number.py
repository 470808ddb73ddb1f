"""
title: Python's max of zero and a value read with item()
description: >
  Python's max keeps the first of two numbers that cannot be ordered, so max of zero and NaN is
  zero. A maximum of symbols gives NaN. The rewrite takes the maximum of the tensor and replaces
  NaN.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/clamped_without_nan]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x[0] + max(0.0, x[1, 0].item())


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield (torch.cat([torch.ones(1, 3), torch.full((4, 3), float("nan"))]),)
