"""
title: interpolate of a signal of unknown length
description: >
  The samples that a mask keeps are stretched to twice their number. The scale of the operator is
  computed from the sizes, one of which only the data knows.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        kept = x[mask].view(1, 1, -1)
        return torch.nn.functional.interpolate(kept, scale_factor=2.0, mode="linear")


def inputs():
    return torch.randn(8), torch.tensor([1, 0, 1, 1, 0, 1, 1, 0]) == 1


def accepts():
    yield torch.randn(8), torch.arange(8) == 4
    yield torch.randn(8), torch.arange(8) < 2
    yield torch.randn(8), torch.ones(8, dtype=torch.bool)


def rejects():
    yield torch.randn(8), torch.zeros(8, dtype=torch.bool)
