"""
title: Attribute of a module converted to other units in forward
description: >
  The attribute is read as it is kept, and forward converts it.
tags: [torch.module, python.attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.decibels = 20.0
        self.layer = torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.layer(x) * 10 ** (self.decibels / 20)


def inputs():
    return torch.randn(4, 3)
