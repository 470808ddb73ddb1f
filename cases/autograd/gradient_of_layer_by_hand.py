"""
title: The gradient of a squared layer as a product
description: >
  The gradient of the sum of squares of a linear layer is twice its output times its weight.
tags: [torch.autograd, torch.parameter]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        return 2 * self.layer(x) @ self.layer.weight


def inputs():
    return torch.randn(3, 4)
