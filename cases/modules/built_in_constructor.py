"""
title: Module built in the constructor
description: >
  The same LayerNorm is made when the model is, so its parameters are part of the model and can be
  trained, saved and moved.
tags: [torch.module, torch.parameter]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(5)

    def forward(self, x):
        return self.norm(x) * 2


def inputs():
    return torch.randn(3, 5)
