"""
title: Flag passed as a tensor of one bool
description: >
  The flag is data, so either value may come with every call. torch.where picks between the two
  results.
tags: [torch.scalar-input, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, doubled):
        return torch.where(torch.as_tensor(doubled), x * 2, x + 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "doubled": None}


def inputs(n=5):
    return torch.randn(n), torch.tensor(True)


def accepts():
    yield torch.randn(5), torch.tensor(False)
