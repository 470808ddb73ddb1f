"""
title: Submodule wrapped by torch.compile
description: >
  A part of the model is already wrapped by torch.compile. Export wants the operators inside of it,
  not a call of the compiled code.
tags: [torch.module, python.decorator]
errors: [E0632]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.block = torch.compile(torch.nn.Linear(4, 6), backend="eager")

    def forward(self, x):
        return self.block(x).relu() * 2


def inputs():
    return torch.randn(5, 4)
