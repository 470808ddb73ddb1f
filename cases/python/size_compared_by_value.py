"""
title: A factor chosen by whether a dynamic size equals a number
description: >
  Whether a batch is full is asked with `==`, and torch.sym_ite makes the choice part of the graph.
  One capture serves full batches and others.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.full = 8

    def forward(self, x):
        return x * torch.sym_ite(x.shape[0] == self.full, 2, 1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
