"""
title: Loop to a fixed bound, steps beyond a value masked
description: >
  The loop runs six times whatever the value is, and torch.where takes each step only while it is
  below the value. The cost is that of the bound; more steps than that are refused.
tags: [python.control-flow, torch.check]
requires: [values]
dims: {k: {min: 0, max: 6}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        torch._check(k.item() <= 6)
        for i in range(6):
            x = torch.where(i < k, x * 0.5 + i, x)
        return x


def inputs(k=4):
    return torch.randn(3), torch.tensor(k)
