"""
title: A scale of a parameter kept on the module
description: >
  The number stands beside the parameter, on the module, which a tracer does not replace.
tags: [torch.parameter, python.attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.weight = torch.nn.Parameter(torch.randn(4, 4))
        self.scale = 0.5

    def forward(self, x):
        return x @ self.weight * self.scale


def inputs():
    return torch.randn(3, 4)
