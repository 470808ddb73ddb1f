"""
title: one_hot by comparing classes with arange
description: >
  Each class is compared with the numbers of all classes, which gives the rows of one_hot for any
  symbolic size.
tags: [torch.dynamic-shape, torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, places):
        classes = torch.arange(x.shape[0])
        return (places[:, None] == classes).float() @ x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "places": None}


def inputs(n=6):
    return torch.randn(n, 3), torch.tensor([1, 0, 1])
