"""
title: torch.linspace with a number of steps read from a tensor
description: >
  steps has to be a number from the start: the operator takes no symbol for it. The same points
  are start + arange(steps) * distance, and arange does take one.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
errors: [E0002]
rewrites: [data_dependent/points_from_arange]
dims: {steps: {min: 2, max: 9}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, steps):
        return x[:, None] * torch.linspace(0.0, 1.0, steps.item())


def inputs(steps=6):
    return torch.randn(3), torch.tensor(steps)


def rejects():
    yield torch.randn(3), torch.tensor(-1)
