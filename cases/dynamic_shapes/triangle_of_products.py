"""
title: Pairs of rows by a product and tril
description: >
  All pairs are one matrix product, and tril() keeps each pair once: nothing has to count them.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return (x @ x.T).tril().sum()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
