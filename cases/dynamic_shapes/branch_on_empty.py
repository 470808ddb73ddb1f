"""
title: Branch on an empty tensor
description: >
  A maximum has no value on nothing, so the program asks whether x is empty first. Tracing takes
  the symbolic size to be at least 2 and drops the question. Appending a neutral element makes the
  question unnecessary.
tags: [python.control-flow, torch.dynamic-shape, torch.zero-one]
rewrites: [dynamic_shapes/branch_on_empty_neutral_element]
errors: [E0017, E0114, E0124]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] == 0:
            return x.new_full((), -1.0)
        return x.amax(0)


dynamic_shapes = {"x": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.rand(n)
