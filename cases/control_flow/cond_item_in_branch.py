"""
title: item() inside a torch.cond branch
description: >
  One branch reads a number from the tensor and multiplies by it. The number is a symbol that
  lives and ends inside of the branch; the other branch never makes it.
tags: [torch.cond, torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def scaled(x):
            return x * x[0].item()

        def shifted(x):
            return x + 1

        return torch.cond(x.sum() > 0, scaled, shifted, (x,))


def inputs():
    return torch.rand(3) + 0.5


def accepts():
    yield -torch.rand(3)
    yield torch.tensor([0.0, 2.0, 3.0])
    yield torch.tensor([-1.0, 2.0, 3.0])
