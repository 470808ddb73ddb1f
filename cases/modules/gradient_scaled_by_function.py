"""
title: Gradient scaled by detach and arithmetic
description: >
  h.detach() + 3 * (h - h.detach()) has the value of h and three times its gradient. It is
  arithmetic like any other, so nothing has to be called back.
tags: [torch.autograd]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x):
        hidden = self.linear(x)
        hidden = hidden.detach() + 3 * (hidden - hidden.detach())
        return hidden.sin()


def inputs():
    return torch.randn(5, 4)
