"""
title: detach inside forward
description: >
  detach gives the same values without a gradient. It is an operator, so a capture can keep it;
  one that takes it for a copy gets another gradient.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.tanh() * x.detach()


def inputs():
    return torch.randn(3, 4, requires_grad=True)
