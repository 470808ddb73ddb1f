"""
title: Dict key made of a dynamic size by an f-string, KeyError
description: >
  An f-string of a symbolic size holds the name of its symbol, as in rows_s77 for rows_6: there is
  no such key in the dict. The rewrite indexes a tensor with the size.
tags: [torch.sym-scalar, torch.dynamic-shape, python.data-structure]
rewrites: [symbolic_scalars/table_indexed_by_size]
references: [pytorch#167719]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factors = {f"rows{n}": 1.0 / n for n in range(2, 17)}

    def forward(self, x):
        return x * self.factors[f"rows{x.shape[0]}"]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
