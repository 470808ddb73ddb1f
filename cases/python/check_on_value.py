"""
title: torch._check on a condition computed from data
description: >
  item() makes a symbol of the condition and torch._check demands that it holds: assumed while
  tracing, asserted when the graph runs. Bad data is refused with an error, as in eager.
tags: [torch.check, torch.item, torch.unbacked-symbol]
requires: [values]
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        bad = x.isnan().sum().item()
        torch._check(bad == 0)
        return x * 2


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (torch.full((3, 4), float("nan")),)
