"""
title: Early return when a tensor is all zeros
description: >
  A shortcut that skips work when the input has nothing in it. The question is asked of the data,
  so tracing cannot answer it. Where the shortcut only saves time and changes no result, the
  rewrite leaves it out.
tags: [python.control-flow]
requires: [values]
rewrites: [control_flow/shortcut_removed]
pitfalls: [data_dependent/branch_on_item]
references: [pytorch#93579]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4, bias=False)

    def forward(self, x):
        if not x.any():
            return torch.zeros(3, 4)
        return self.linear(x)


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.zeros(3, 4),)
    yield (torch.ones(3, 4),)
