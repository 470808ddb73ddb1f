"""
title: Parameter names that are equal once dots become underscores
description: >
  The model has a parameter scale_factor and a submodule scale with a parameter factor. Graphs
  flatten names with underscores, where the two would be one.
tags: [torch.module, torch.parameter]
"""

import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.tensor([2.0, -3.0, 4.0]))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_factor = torch.nn.Parameter(torch.tensor([0.5, 0.25, 0.75]))
        self.scale = Scale()
        self.register_buffer("p_scale_factor", torch.tensor([10.0, 20.0, 30.0]))

    def forward(self, x):
        return x * self.scale_factor - self.scale.factor + self.p_scale_factor


def inputs():
    return torch.randn(5, 3)
