"""
title: map whose function has tensors bound by keyword (functools.partial)
description: >
  map takes no keyword arguments. functools.partial binds them beforehand, here a weight of the
  module and an input, and map calls the function with the row alone.
tags: [torch.map, python.kwargs, torch.dynamic-shape]
requires: [torch>=2.8]
"""

import functools

import torch
from torch._higher_order_ops import map
from torch.export import Dim


def scaled(row, *, weight, shift):
    return row.softmax(0) * weight + shift


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(3))

    def forward(self, xs, shift):
        return map(functools.partial(scaled, shift=shift, weight=self.weight), xs)


dynamic_shapes = {"xs": {0: Dim("n", min=2, max=16)}, "shift": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3)
