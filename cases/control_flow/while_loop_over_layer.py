"""
title: while_loop that applies a layer a given number of times
description: >
  The body uses a layer of the module, whose parameters are captured and become inputs of the loop
  in the graph. How often the layer is applied comes as a tensor; zero times is legal.
tags: [torch.while-loop, torch.module, torch.dynamic-shape]
requires: [values]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x, times):
        def unfinished(i, x):
            return i < times

        def step(i, x):
            return i + 1, torch.tanh(self.layer(x))

        return torch.while_loop(unfinished, step, (torch.zeros_like(times), x))[1]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "times": None}


def inputs(n=5):
    return torch.randn(n, 4), torch.tensor(3)


def accepts():
    for times in (0, 1, 7):
        yield torch.randn(5, 4), torch.tensor(times)
