"""
title: if on torch.equal
description: >
  torch.equal compares two tensors and gives a Python bool, so it reads all their data at once.
  The rewrite compares elementwise, which stays a tensor and says the same of two tensors of one
  shape (== broadcasts, torch.equal does not), and lets torch.cond choose.
tags: [python.control-flow]
requires: [values]
rewrites: [python/elementwise_equal_with_cond]
pitfalls: [control_flow/branch_on_value]
errors: [E0003, E0004]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        if torch.equal(x, y):
            return x * 2
        else:
            return x - y


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    yield torch.ones(3, 4), torch.ones(3, 4)
