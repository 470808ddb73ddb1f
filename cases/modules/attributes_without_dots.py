"""
title: Buffer with an underscore for the dot in its name
description: >
  The dots of a key are replaced before it becomes a name: a key then has one meaning, a path
  through submodules. As a buffer the tensor is saved and moved with the module.
tags: [torch.module, torch.buffer]
"""

import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factor", torch.tensor([2.0, -3.0, 4.0]))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()
        self.register_buffer("scale_factor", torch.tensor([0.5, 0.25, 0.75]))

    def forward(self, x):
        return x * self.scale.factor - self.scale_factor


def inputs():
    return torch.randn(5, 3)
