"""
title: A dynamic size compared with the real part of a complex number
description: >
  The real part is a float, which a symbol can be compared with. The comparison holds the size
  fast.
tags: [torch.sym-scalar, torch.dynamic-shape, python.control-flow, torch.complex]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] == (3 + 0j).real else x - 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
