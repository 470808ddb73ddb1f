"""
title: Neutral mask instead of None
description: >
  The mask is no longer optional; a caller who has none gives ones. One graph serves all callers.
tags: [python.none]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask):
        return x * mask + 1


def inputs():
    return torch.randn(3, 4), torch.rand(3, 4)


def accepts():
    yield torch.randn(3, 4), torch.ones(3, 4)
