"""
title: get_parameter with a dotted name
description: >
  get_parameter follows the dots through the submodules and gives the parameter itself, which detach
  keeps from getting a gradient here.
tags: [torch.module, torch.parameter, torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)])

    def forward(self, x):
        weight = self.get_parameter("layers.0.weight").detach()
        return self.layers[1](self.layers[0](x)) * weight.square().mean()


def inputs():
    return torch.randn(3, 4)
