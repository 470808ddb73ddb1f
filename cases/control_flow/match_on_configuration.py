"""
title: match statement on a setting of the module
description: >
  The subject is a Python value that is fixed when the module is made, so the match is decided
  while tracing and only the chosen case is left. Patterns may be as rich as Python allows.
tags: [python.control-flow, python.attribute]
allow:
  L063: the setting is made once, and no input changes it
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.activation = ("leaky", 0.2)

    def forward(self, x):
        match self.activation:
            case "relu":
                return x.relu()
            case ("leaky", float(slope)):
                return torch.where(x > 0, x, slope * x)
            case _:
                return x.clone()


def inputs():
    return (torch.randn(3, 4),)
