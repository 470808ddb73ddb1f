"""
title: Linear followed by an in-place relu
description: >
  relu_ writes its result over the output of the linear layer, a tensor that nobody else sees. A
  capture may keep the in-place operator or replace it with relu; no input changes either way.
tags: [torch.mutation, torch.module]
references: [pytorch#136846]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 6)
        self.relu = torch.nn.ReLU(inplace=True)

    def forward(self, x):
        return self.relu(self.linear(x))


def inputs():
    return (torch.randn(3, 4),)
