"""
title: interpolate to int(n / 2)
description: >
  int() has to return a real number, so a tracer that runs the Python code gets half of the
  example's length and bakes it in; one that reads the bytecode replaces the call. Floor division
  gives the same size and stays symbolic.
tags: [torch.dynamic-shape, torch.specialization, python.builtin]
rewrites: [dynamic_shapes/interpolate_to_half]
pitfalls: [dynamic_shapes/int_of_half_size_auto]
references: [pytorch#138853]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        size = int(x.shape[2] / 2)
        return torch.nn.functional.interpolate(x, size=size)


dynamic_shapes = {"x": {2: Dim("n", min=4, max=32)}}


def inputs(n=7):
    return torch.randn(1, 3, n)
