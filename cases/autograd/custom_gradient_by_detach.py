"""
title: A gradient unlike the result, by detach
description: >
  The result is twice its input and the gradient ten times. What the result has less is taken off
  as a constant, so the rule stands in ordinary operators and nothing is changed in place.
tags: [torch.autograd]
train: true
"""

import torch


def doubled(x):
    steep = x * 10
    return steep - (steep - x * 2).detach()


class Model(torch.nn.Module):
    def forward(self, x):
        return doubled(x + 1) * 3


def inputs():
    return torch.randn(3, 4, requires_grad=True)
