"""
title: scan from the last row to the first, discounted returns
description: >
  Each return is the reward plus the discounted return that follows, so the scan begins at the
  end. With reverse=True the outputs still stand in the order of the rows.
tags: [torch.scan, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, rewards):
        def step(later, reward):
            value = reward + 0.9 * later
            return value, value.clone()

        _, returns = scan(step, torch.zeros(2), rewards, reverse=True)
        return returns


dynamic_shapes = {"rewards": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 2)
