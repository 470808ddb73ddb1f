"""
title: Exclusive or of two comparisons by torch.sym_ite and a difference
description: >
  Where the first comparison holds so does the second, so they differ where their difference, as
  numbers chosen by torch.sym_ite, is 1.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        above_four = torch.sym_ite(x.shape[0] > 4, 1, 0)
        above_three = torch.sym_ite(x.shape[0] > 3, 1, 0)
        return x * (above_three - above_four)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
