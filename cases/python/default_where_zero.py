"""
title: Default for a number that is zero, by a conditional expression
description: >
  A conditional expression gives one of the two numbers, in Python and in TorchScript.
tags: [python.control-flow]
allow:
  L063: the size is fixed, so one side is all that is ever taken
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        extra = x.shape[0] - 4
        return x * (extra if extra != 0 else 2)


def inputs():
    return torch.randn(7, 3)
