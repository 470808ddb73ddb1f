"""
title: '`is` between a dynamic size and a number'
description: >
  Whether a batch is full is asked with `is`. In eager small integers are one object each, so it
  works up to 256. While a program is traced a dynamic size is a torch.SymInt, which is another
  object than any number, so the batch is never full, without a guard. The rewrite compares with
  `==` and chooses with torch.sym_ite.
tags: [torch.dynamic-shape, torch.sym-scalar, python.builtin]
rewrites: [python/size_compared_by_value]
references: [pytorch#109504]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.full = 8

    def forward(self, x):
        full = x.shape[0] is self.full
        return x * (2 if full else 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
