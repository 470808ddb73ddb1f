"""
title: RReLU in evaluation
description: >
  RReLU draws random slopes in training and uses their mean in evaluation. The capture is made in
  evaluation mode, so no random number may be left in it.
tags: [torch.module, torch.random]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = torch.nn.RReLU(0.1, 0.5)
        self.eval()

    def forward(self, x):
        return self.activation(x) * 2


def inputs():
    return torch.randn(5, 3)
