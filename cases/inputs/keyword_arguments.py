"""
title: Keyword arguments of forward
description: >
  Some tensors are given by position, some by keyword, and the keywords not in the order of the
  signature. dynamic_shapes names them by parameter.
tags: [python.kwargs, torch.dynamic-shape]
references: [pytorch#143732, pytorch#150371]
errors: [E0505]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, *, scale, bias):
        return x * scale + bias


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "scale": None, "bias": None}


def inputs(n=5):
    return (torch.randn(n, 3),), {"bias": torch.randn(3), "scale": torch.randn(3)}
