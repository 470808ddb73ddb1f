"""
title: Product with a plain parameter, doubled in forward
description: >
  What a class of the parameter would do to a function is written where the function is called.
tags: [torch.parameter]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        weight = torch.linspace(-1, 1, 12).view(4, 3)
        self.weight = torch.nn.Parameter(weight, requires_grad=False)

    def forward(self, x):
        return 2 * torch.matmul(x, self.weight) + self.weight.sum(0)


def inputs():
    return torch.randn(5, 4)
