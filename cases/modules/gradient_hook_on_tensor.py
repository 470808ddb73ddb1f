"""
title: register_hook on a tensor in forward
description: >
  The hook scales the gradient of an intermediate result and leaves the result alone. For
  inference it does nothing; in training a capture that drops it silently gives other gradients.
tags: [torch.autograd, python.closure]
train: true
rewrites: [modules/gradient_scaled_by_function]
pitfalls: [autograd/custom_function]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x):
        hidden = self.linear(x)
        if hidden.requires_grad:
            hidden.register_hook(lambda grad: grad * 3)
        return hidden.sin()


def inputs():
    return torch.randn(5, 4)
