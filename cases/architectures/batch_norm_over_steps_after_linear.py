"""
title: Batch norm over the steps of a sequence after a linear layer
description: >
  BatchNorm1d takes the second dimension for channels. Of a sequence that is the step, while a
  linear layer makes the last: here both have six elements, so that a norm folded into the weights
  fits and is wrong.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 6)
        self.norm = torch.nn.BatchNorm1d(6)
        torch.nn.init.uniform_(self.norm.running_mean, -2, 2)
        torch.nn.init.uniform_(self.norm.running_var, 0.1, 3)
        self.eval()

    def forward(self, x):
        return self.norm(self.layer(x))


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 6, 4),)
