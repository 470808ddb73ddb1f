"""
title: Gradient, value and auxiliary result, written out
description: >
  The derivative of tanh is 1 - tanh², so the gradient of the loss is an expression of the auxiliary
  result. No transform and no autograd is left to trace.
tags: [torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = x.detach().tanh()
        return 2 * y * (1 - y**2), (y**2).sum(), y


def inputs():
    return torch.randn(3, 4)
