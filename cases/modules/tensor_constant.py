"""
title: Tensor made in the constructor and not registered
description: >
  A table of numbers is a plain attribute, neither buffer nor parameter. It is a constant of the
  program, and a capture has to carry it along.
tags: [torch.module, torch.buffer, python.attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.table = torch.arange(4.0)

    def forward(self, x):
        return x * self.table


def inputs():
    return torch.randn(3, 4)
