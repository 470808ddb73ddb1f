"""
title: Helper without a mark for the compiler
description: >
  A function that a module calls is traced with it. Both of its branches are taken here, and each
  call goes the way of its own argument.
tags: [python.control-flow]
"""

import torch


def scaled(x):
    return x * 2 if x.ndim == 2 else x * 3


class Model(torch.nn.Module):
    def forward(self, x):
        return scaled(x).sum(0) + scaled(x[0])


def inputs():
    return torch.randn(4, 3)
