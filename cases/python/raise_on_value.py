"""
title: raise when the data is bad
description: >
  forward checks its input and raises if it is not positive. Whether to raise is a question to the
  data, so it cannot be answered while tracing. The rewrites state the condition as a check that
  the graph can carry.
tags: [python.exception, python.control-flow]
requires: [values]
rewrites: [python/assert_async, python/check_on_value]
pitfalls: [python/assert_on_value]
references: [pytorch#157355]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if not (x > 0).all():
            raise ValueError("x must be positive")
        return x.log()


def inputs():
    return (torch.rand(3, 4) + 0.1,)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (torch.full((3, 4), -1.0),)
