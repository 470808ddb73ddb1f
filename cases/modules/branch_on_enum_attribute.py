"""
title: if on an Enum attribute of a module
description: >
  The setting of the module is a member of an Enum, compared in forward. It is the same at every
  call, so the branch is chosen once and the graph holds one side; a module with another setting has
  a capture of its own.
tags: [python.attribute, python.control-flow, torch.module]
models: [Summed, Averaged]
allow:
  L063: each of the two models goes one way
"""

import enum

import torch


class Reduction(enum.Enum):
    SUM = "sum"
    MEAN = "mean"


class Model(torch.nn.Module):
    def __init__(self, reduction):
        super().__init__()
        self.reduction = reduction

    def forward(self, x):
        return x.sum(0) if self.reduction is Reduction.SUM else x.mean(0)


class Summed(Model):
    def __init__(self):
        super().__init__(Reduction.SUM)


class Averaged(Model):
    def __init__(self):
        super().__init__(Reduction.MEAN)


def inputs():
    return torch.randn(3, 4)
