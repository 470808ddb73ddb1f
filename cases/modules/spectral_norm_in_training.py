"""
title: spectral_norm in training mode
description: >
  In training mode each read of the weight does a step of power iteration and writes the new vectors
  into buffers in place. The next call goes on from them, so they are state to be kept.
tags: [torch.module, torch.parameter, torch.buffer, torch.mutation]
references: [pytorch#121304]
"""

import torch
from torch.nn.utils.parametrizations import spectral_norm


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = spectral_norm(torch.nn.Linear(4, 6))

    def forward(self, x):
        return self.linear(x)


def inputs():
    return torch.randn(5, 4)
