"""
title: A gradient unlike the result, by detach
description: >
  The result is twice its input, as a constant. What is added to it is zero and brings ten times
  the gradient, so the rule stands in ordinary operators and nothing is changed in place.
tags: [torch.autograd]
train: true
"""

import torch


def doubled(x):
    steep = x * 10
    return (x * 2).detach() + (steep - steep.detach())


class Model(torch.nn.Module):
    def forward(self, x):
        return doubled(x + 1) * 3


def inputs():
    return torch.randn(3, 4, requires_grad=True)
