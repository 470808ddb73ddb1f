"""
title: Exporting a method other than forward
description: >
  Exporters take a module and call its forward. A small module that holds the model and calls its
  encode does for a method; the parameters keep their names below the name of the model.
tags: [torch.module]
"""

import torch


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.down = torch.nn.Linear(6, 2)
        self.up = torch.nn.Linear(2, 6)

    def encode(self, x):
        return self.down(x).tanh()

    def forward(self, x):
        return self.up(self.encode(x))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.network = Network()

    def forward(self, x):
        return self.network.encode(x)


def inputs():
    return torch.randn(5, 6)
