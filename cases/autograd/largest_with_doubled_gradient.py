"""
title: Gradient doubled by arithmetic with a detached value
description: >
  values + (values - values.detach()) has the value of the maximum and twice its gradient. The
  places come from the same operator, and integers have no gradient.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        values, places = x.max(1)
        values = values + (values - values.detach())
        return values * 3, places


def inputs():
    return torch.randn(3, 4, requires_grad=True)
