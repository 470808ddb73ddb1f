"""
title: Suggested fix applied until nothing is left to fix
description: >
  The range begins where all conditions of the branch hold, at 17: one above the size that the
  inequality excludes.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
references: [pytorch#148568, pytorch#126127]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if x.shape[0] < 16:
            return x - 1
        if x.shape[0] == 16:
            return x
        return x + 1


dynamic_shapes = {"x": {0: Dim("n", min=17, max=64)}}


def inputs(n=20):
    return torch.randn(n)
