"""
title: scan over two sequences with two states of one shape
description: >
  Each step takes a row of both sequences, and the two states have one shape but not one
  meaning. With a single row there is a single step.
tags: [torch.scan, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs, gates):
        def step(state, row):
            fast, slow = state
            x, gate = row
            fast = gate * fast + (1 - gate) * x
            slow = 0.9 * slow + 0.1 * fast
            return (fast, slow), fast - slow

        return scan(step, (torch.zeros(3), torch.ones(3)), (xs, gates))


n = Dim("n", min=1, max=16)
dynamic_shapes = {"xs": {0: n}, "gates": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.rand(n, 3)
