"""
title: spectral_norm in evaluation mode
description: >
  In evaluation mode the vectors of the power iteration are only read. The weight is divided by the
  norm that they give, and nothing changes from call to call.
tags: [torch.module, torch.parameter, torch.buffer]
"""

import torch
from torch.nn.utils.parametrizations import spectral_norm


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = spectral_norm(torch.nn.Linear(4, 6))
        self.eval()

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(5, 4)
