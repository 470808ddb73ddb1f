"""
title: A layer called with the whole batch
description: >
  A linear layer takes any number of leading dims, so nothing has to be mapped.
tags: [torch.parameter, torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)


def inputs():
    return torch.randn(3, 4)
