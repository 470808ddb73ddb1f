"""
title: Floating point scalar kept as a tensor
description: >
  A tensor of no dimensions takes part in arithmetic like a number. Nothing is read out of it while
  tracing.
tags: [torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


def inputs():
    return torch.randn(3), torch.tensor(2.5)


def accepts():
    yield torch.randn(3), torch.tensor(0.0)
    yield torch.randn(3), torch.tensor(-1.25)
