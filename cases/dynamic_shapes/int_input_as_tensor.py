"""
title: Tensor of one number in place of a Python int or of item()
description: >
  A tensor of no dimensions is data, so any value may come and nothing has to be declared. Callers
  wrap the number with torch.tensor, and forward computes with it as it is.
tags: [torch.scalar-input, torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, factor):
        return x * factor


def inputs():
    return torch.randn(4), torch.tensor(3)


def accepts():
    yield torch.randn(4), torch.tensor(0)
    yield torch.randn(4), torch.tensor(1)
    yield torch.randn(4), torch.tensor(-2)
    yield torch.randn(4), torch.tensor(100)
