"""
title: Another path while exporting (torch.compiler.is_exporting)
description: >
  Eager takes the positive numbers out of the tensor and adds them up, which makes a size that only
  the data decides. While exporting the sum is written without it. Only exporters that say that
  they export get the second path; both have to give the same.
tags: [python.control-flow, torch.data-dependent-shape, torch.dynamic-shape]
references: [pytorch#176347]
requires: [values, torch>=2.7]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if torch.compiler.is_exporting():
            return torch.where(x > 0, x, 0).sum()
        return x[x > 0].sum()


dynamic_shapes = {"x": {0: Dim("n", min=0, max=16)}}


def inputs(n=5):
    return torch.randn(n)
