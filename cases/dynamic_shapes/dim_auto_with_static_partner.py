"""
title: Dim.AUTO beside a size that is static
description: >
  Every fourth element of x is added to y, whose length is fixed. Four lengths of x fit; which of
  them a capture serves, the length of the example or all four, is left to tracing and reported by
  no error. A declared range says what is meant.
tags: [torch.dim-hint, torch.specialization, torch.guard]
dims: {n: {min: 18, max: 21}}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x[1::4] + y


dynamic_shapes = {"x": {0: Dim.AUTO}, "y": {0: Dim.STATIC}}


def inputs(n=20):
    return torch.randn(n), torch.randn(5)
