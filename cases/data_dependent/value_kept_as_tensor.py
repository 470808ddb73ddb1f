"""
title: Computing with a tensor of no dimensions in place of item()
description: >
  The number stays a tensor, so it is data like any other and no symbol is needed for it.
tags: [torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        return x * k


def inputs():
    return torch.randn(3), torch.tensor(4)


def accepts():
    yield torch.randn(3), torch.tensor(0)
    yield torch.randn(3), torch.tensor(1)
    yield torch.randn(3), torch.tensor(-7)
