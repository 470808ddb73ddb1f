"""
title: while_loop with a Python int as counter
description: >
  The counter is a plain int among the loop's values, which is fine: it becomes a symbolic int in
  the graph. After the loop it is known only by running it.
tags: [torch.while-loop, torch.unbacked-symbol, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def unfinished(i, y):
            return i < y.shape[0]

        def step(i, y):
            return i + 1, y * 0.5 + i

        _, out = torch.while_loop(unfinished, step, (0, x))
        return out


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
