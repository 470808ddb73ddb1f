"""
title: Table made at the first call, if not hasattr(self, ...)
description: >
  The module looks whether it has the table already and makes it if not. While tracing it has none,
  so the tensor that tracing makes would stay on the module after the capture. The rewrite
  makes the table beforehand, as a buffer.
tags: [python.builtin, python.attribute, torch.dynamic-shape]
rewrites: [python/table_made_beforehand]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        if not hasattr(self, "table"):
            self.table = torch.linspace(0, 1, 16)
        return x * self.table[: x.shape[0]]


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
