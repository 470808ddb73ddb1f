"""
title: Submodule left in Python, its branch as torch.cond
description: >
  The part is an ordinary module again, and the branch on the size is a torch.cond, which keeps
  both sides in the graph.
tags: [torch.module, torch.cond, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Block(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.shape[0] > 8, lambda x: x * 2, lambda x: x + 1, (x,))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=12)}}


def inputs(n=5):
    return torch.randn(n, 3)
