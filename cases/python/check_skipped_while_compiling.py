"""
title: Check left out while compiling (torch.compiler.is_compiling)
description: >
  The test of the data would stop tracing, so it stands under a condition that is false while
  tracing. The capture runs, and says nothing about data that the program refuses. The rewrite
  asserts with an operator that stays in the graph.
tags: [python.control-flow, torch.check]
requires: [values]
rewrites: [python/assert_async]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling():
            if not (x > 0).all():
                raise ValueError("x must be positive")
        return x.log()


def inputs():
    return (torch.rand(3, 4) + 0.1,)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (-torch.rand(3, 4),)
