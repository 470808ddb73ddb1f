"""
title: assert on a size
description: >
  The assertion is about a dynamic size. It is true for the whole declared range, so a tracer that
  knows the range can prove it; beyond the range, eager raises and a capture should too.
tags: [python.assert, torch.dynamic-shape, torch.guard]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        assert x.shape[0] > 2, "needs at least three rows"
        return x[0] + x[2]


dynamic_shapes = {"x": {0: Dim("n", min=3, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4)
