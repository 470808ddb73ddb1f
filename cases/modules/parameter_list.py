"""
title: ParameterList and ParameterDict
description: >
  Parameters without modules of their own stand in a list and in a dict. They are parameters of the
  model under the names scales.0, scales.1 and shifts.low, and take part in arithmetic.
tags: [torch.parameter, torch.module, python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scales = torch.nn.ParameterList([torch.tensor([1.5, -2.0]), torch.tensor([0.5, 3.0])])
        self.shifts = torch.nn.ParameterDict({"low": torch.tensor([0.25, 0.75])})

    def forward(self, x):
        for scale in self.scales:
            x = x * scale + self.shifts["low"]
        return x


def inputs():
    return torch.randn(5, 2)
