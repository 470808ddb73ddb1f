"""
title: int input that may be zero
description: >
  The input says how often the rows are repeated; none at all gives an empty result. Tracing
  takes the length of the result to be at least 2, which makes a condition on the product of both
  numbers out of what was no question in the program.
tags: [torch.scalar-input, torch.dim-hint, torch.zero-one]
dims: {times: {min: 0, max: 9}}
references: [pytorch#106031]
rewrites: [dynamic_shapes/int_input_zero_repeats_index]
pitfalls: [dynamic_shapes/int_input_named_dim]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, times: int):
        return x.repeat(times) * 2


dynamic_shapes = {"x": None, "times": Dim.DYNAMIC}


def inputs(times=4):
    return torch.randn(3), times
