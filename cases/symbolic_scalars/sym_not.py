"""
title: torch.sym_not of a comparison of sizes
description: >
  The negation stays a symbolic bool and can be the predicate of torch.cond.
tags: [torch.sym-scalar, torch.cond]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        short = torch.sym_not(x.shape[0] > 8)
        return torch.cond(short, lambda x: x + 1, lambda x: x * 100, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
