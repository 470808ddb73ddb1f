"""
title: torch.func.functional_call with changed parameters
description: >
  A layer is called with parameters that are computed in forward, here its own with a little added
  from the input. The layer's parameters stay as they are; the gradient reaches them through the
  computation.
tags: [torch.functional-transform, torch.parameter, torch.module]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x):
        changed = {name: p + 0.1 * x.mean() for name, p in self.layer.named_parameters()}
        return torch.func.functional_call(self.layer, changed, (x,))


def inputs():
    return torch.randn(5, 3)
