"""
title: One submodule used under two names
description: >
  The same layer is registered twice, as tied weights are. There is one weight, whichever name it
  is reached by.
tags: [torch.module, torch.parameter, torch.aliasing]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(4, 4)
        self.second = self.first

    def forward(self, x):
        return self.second(self.first(x).relu())


def inputs():
    return torch.randn(3, 4)
