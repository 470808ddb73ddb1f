"""
title: Parameters returned beside the loss
description: >
  A regulariser needs the weights themselves, so forward returns them: one as it is, one as a
  view, one scaled, one detached. Gradients of all but the last reach the parameter.
tags: [torch.autograd, torch.parameter, torch.aliasing]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 3)
        self.scale = torch.nn.Parameter(torch.linspace(-1, 1, 3))

    def forward(self, x):
        weight = self.layer.weight
        loss = (self.layer(x) * self.scale.abs()).pow(2).mean()
        return loss, self.scale, weight.t(), weight * 0.1, self.layer.bias.detach()


def inputs():
    return torch.randn(5, 4)
