"""
title: Layer without a clock
description: >
  The program computes and nothing else; whoever calls it, or a profiler, measures how long that
  takes.
tags: [torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.layer(x).relu()


def inputs():
    return torch.randn(5, 4)
