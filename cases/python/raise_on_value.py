"""
title: raise when the data is bad
description: >
  forward checks its input and raises for a NaN. Whether to raise is a question to the data, so it
  cannot be answered while tracing. The rewrite states the condition as a check that the graph can
  carry.
tags: [python.exception, python.control-flow]
requires: [values]
rewrites: [python/check_on_value]
references: [pytorch#157355]
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.isnan().any():
            raise ValueError("x holds NaN")
        return x * 2


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (torch.full((3, 4), float("nan")),)
