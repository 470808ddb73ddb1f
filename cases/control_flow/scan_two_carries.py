"""
title: scan with two values carried along, running mean and count
description: >
  The state is a tuple of the number of rows so far and their mean; each row updates both and adds
  one output. The outputs are the running means, as many as there are rows.
tags: [torch.scan, torch.dynamic-shape]
"""

import torch
from torch._higher_order_ops import scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        def step(state, x):
            count, mean = state
            count = count + 1
            mean = mean + (x - mean) / count
            return (count, mean), mean.clone()

        return scan(step, (torch.zeros(()), torch.zeros(3)), xs)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
