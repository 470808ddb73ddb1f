"""
title: Branch on whether a size is a multiple of three
description: >
  Lengths that three divides are taken as rows of three, others as they are. The branch of the
  example becomes a guard on the remainder, and the suggested fix declares the length as three
  times a new Dim. That is right only if no other length ever comes.
tags: [python.control-flow, torch.dynamic-shape, torch.derived-dim, torch.guard]
rewrites: [dynamic_shapes/branch_on_multiple_cond]
pitfalls: [dynamic_shapes/branch_on_multiple_auto]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] % 3 == 0:
            return x * 2
        return x - 1


dynamic_shapes = {"x": {0: Dim("n", min=4, max=48)}}


def inputs(n=12):
    return torch.randn(n)
