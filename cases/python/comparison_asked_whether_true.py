"""
title: '`is True` of a comparison of a dynamic size'
description: >
  Whether a batch is long is kept as a flag, and the flag is tested with `is True`. A comparison
  of a dynamic size is a torch.SymBool while a program is traced, which is another object than
  True, so the other side is taken whatever the size is. The rewrite chooses with torch.sym_ite.
tags: [torch.dynamic-shape, torch.sym-scalar, python.builtin]
rewrites: [python/comparison_chosen_by_sym_ite]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        long = x.shape[0] > 6
        return x * (2 if long is True else 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
