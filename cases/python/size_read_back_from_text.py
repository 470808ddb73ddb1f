"""
title: int(str(n)) of a dynamic size
description: >
  A name like "50" is made of a size and read with int() later on. A dynamic size that is written
  as text gives the name of its symbol, which int() cannot read. The rewrite computes with the
  size.
tags: [torch.dynamic-shape, torch.sym-scalar, python.builtin]
rewrites: [python/size_times_ten]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        percent = int(f"{x.shape[0]}0")
        return x * percent


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
