"""
title: A foreach operator on the same tensor twice
description: >
  The list that is given to a foreach operator holds the same tensor twice, as it does where two
  parts of a model share a parameter; in place it is changed twice. Where each entry of the list
  becomes a result of its own, only the last of them is written back.
tags: [torch.mutation, torch.aliasing]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.clone()
        torch._foreach_add_([y, y], 2.0)
        return y


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
