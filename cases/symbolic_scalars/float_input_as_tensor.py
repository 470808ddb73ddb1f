"""
title: Tensor of one number in place of a Python float or of item()
description: >
  A tensor of no dimensions takes part in arithmetic like a number. It is data, so any value may
  come, and nothing is read out of it while tracing.
tags: [torch.scalar-input, torch.item]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale


def inputs():
    return torch.randn(4), torch.tensor(2.5)


def accepts():
    yield torch.randn(4), torch.tensor(3.5)
    yield torch.randn(4), torch.tensor(0.0)
    yield torch.randn(4), torch.tensor(-1.25)
