"""
title: Layer trained below a batch norm that train() leaves in eval mode
description: >
  A detector is tuned with the batch norms of its backbone frozen: its train() puts them back into
  eval mode. Such a norm is a scale and a shift by numbers that do not change, so the gradient that
  passes through it is scaled and nothing more; in training mode the mean of the batch would take part.
tags: [torch.autograd, torch.module, torch.buffer]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Conv2d(2, 3, 3, padding=1)
        self.norm = torch.nn.BatchNorm2d(3)
        self.norm.running_mean.copy_(torch.tensor([0.5, -1.0, 0.0]))
        self.norm.running_var.copy_(torch.tensor([4.0, 0.25, 1.0]))

    def train(self, mode=True):
        super().train(mode)
        self.norm.eval()
        return self

    def forward(self, x):
        return self.norm(self.layer(x)).sigmoid()


def inputs():
    return torch.randn(3, 2, 5, 4)
