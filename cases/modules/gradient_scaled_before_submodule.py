"""
title: Gradient scaled between two submodules
description: >
  What the second submodule is given is h + 4 * (h - h.detach()): its value is that of h, and the
  gradient that comes back through it is five times as large.
tags: [torch.module, torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first = torch.nn.Linear(4, 6)
        self.second = torch.nn.Linear(6, 2)

    def forward(self, x):
        h = self.first(x).sin()
        return self.second(h + 4 * (h - h.detach()))


def inputs():
    return torch.randn(3, 4)
