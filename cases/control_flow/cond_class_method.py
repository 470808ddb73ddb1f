"""
title: torch.cond branches that are methods and submodules
description: >
  One branch is a method of the module, the other a submodule with parameters. Both reach
  parameters through self, which the exporter has to lift into the operands of the branches.
tags: [torch.cond, torch.module, torch.parameter]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)
        self.bias = torch.nn.Parameter(torch.ones(4))

    def shifted(self, x):
        return x.relu() + self.bias

    def forward(self, x):
        return torch.cond(x.sum() > 0, self.linear, self.shifted, (x,))


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (-torch.rand(3, 4),)
    yield (torch.rand(3, 4) + 1,)
