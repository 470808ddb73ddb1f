"""
title: Total checked as a float with torch._check before the shares are computed
description: >
  The total of all weights has to be at least one half. What item() reads is a float, and a
  condition on a symbolic float can be assumed while tracing without being written into the graph: a
  smaller total gives shares that look like any others. The rewrite checks an integer.
tags: [torch.check, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/total_compared_before_shares]
errors: [E0015]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, weights):
        total = weights.sum()
        torch._check(total.item() >= 0.5)
        return weights / total


def inputs():
    return torch.rand(3, 4) + 0.1


def accepts():
    yield torch.full((3, 4), 20.0)


def rejects():
    yield torch.full((3, 4), 0.01)
    yield torch.full((3, 4), -1.0)
