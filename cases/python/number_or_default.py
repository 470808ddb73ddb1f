"""
title: '`x or default` with a number'
description: >
  `or` between two numbers gives one of them. TorchScript makes a bool of it, which then counts as
  one. The rewrite compares the number with zero.
tags: [python.control-flow]
rewrites: [python/default_where_zero]
references: [pytorch#53921]
allow:
  L063: the size is fixed, so one side is all that is ever taken
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] - 4 or 2)


def inputs():
    return torch.randn(7, 3)
