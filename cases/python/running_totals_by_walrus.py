"""
title: Running totals by := in a comprehension
description: >
  The name that := binds belongs to the function around the comprehension: each round reads what the
  round before left in it, and it has the last total afterwards.
tags: [python.control-flow, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        total = x.new_zeros(x.shape[0])
        totals = [total := 2 * total + column for column in x.unbind(1)]
        return torch.stack(totals, 1), total


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
