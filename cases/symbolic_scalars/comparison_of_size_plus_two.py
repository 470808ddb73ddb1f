"""
title: torch.sym_ite plus 2 in place of a bitwise or with a comparison
description: >
  The bit of the bool and that of the number do not overlap, so their sum equals their bitwise or;
  torch.sym_ite makes a number of the comparison.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (2 + torch.sym_ite(x.shape[0] > 4, 1, 0))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
