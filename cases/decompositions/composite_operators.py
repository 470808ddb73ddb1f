"""
title: Operators that core ATen decomposes (linear, layer_norm, gelu, softmax)
description: >
  One small transformer-like block out of operators that exporters replace with simpler ones. Each
  decomposition has to give the values of the operator it stands for.
tags: [torch.decomposition, torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(6)
        self.up = torch.nn.Linear(6, 8)

    def forward(self, x):
        hidden = torch.nn.functional.gelu(self.up(self.norm(x)))
        return hidden.softmax(-1)


def inputs():
    return torch.randn(3, 6)
