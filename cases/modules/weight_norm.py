"""
title: weight_norm as a parametrization
description: >
  The weight is computed from a direction and a length each time it is read, by a property that the
  parametrization puts on the module's class. The two parts are the parameters.
tags: [torch.module, torch.parameter, python.decorator]
references: [pytorch#121304]
"""

import torch
from torch.nn.utils.parametrizations import weight_norm


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = weight_norm(torch.nn.Linear(4, 6))
        with torch.no_grad():
            self.linear.parametrizations.weight.original0.mul_(3.0)

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(5, 4)
