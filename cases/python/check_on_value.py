"""
title: torch._check on a condition computed from data
description: >
  item() makes a symbol of the condition and torch._check demands that it holds: assumed while
  tracing, asserted when the graph runs. Here the check pins the symbol to one value, 0: an
  exporter that from then on takes the symbol for a constant has nothing left to check. A NaN
  passes the check, but not that of the rewrite.
tags: [torch.check, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [python/assert_async]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        bad = (x <= 0).sum().item()
        torch._check(bad == 0)
        return x.log()


def inputs():
    return (torch.rand(3, 4) + 0.1,)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (torch.full((3, 4), -1.0),)
