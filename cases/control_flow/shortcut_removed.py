"""
title: Computing always instead of a shortcut on zeros
description: >
  The layer has no bias, so zeros in are zeros out without asking. Leaving out a shortcut that
  changes no result removes the branch on data.
tags: [python.control-flow]
references: [pytorch#93579]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4, bias=False)

    def forward(self, x):
        return self.linear(x)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.zeros(3, 4),)
    yield (torch.ones(3, 4),)
