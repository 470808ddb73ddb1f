"""
title: Elementwise comparison and torch.cond instead of torch.equal
description: >
  Shapes are compared in Python, as torch.equal does first. (x == y).all() is a boolean tensor,
  which torch.cond takes as its predicate; both outcomes are in the graph.
tags: [torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        if x.shape != y.shape:
            return x - y
        return torch.cond((x == y).all(), lambda x, y: x * 2, lambda x, y: x - y, (x, y))


def inputs():
    return torch.randn(3, 4), torch.randn(3, 4)


def accepts():
    yield torch.ones(3, 4), torch.ones(3, 4)
