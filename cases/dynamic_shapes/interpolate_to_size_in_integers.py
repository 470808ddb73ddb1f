"""
title: interpolate with size= in place of a scale factor
description: >
  The size of the output is three tenths of the input's, computed with //, so no factor has to be
  rounded. The example leaves more than one element, and the size of the output is a symbol.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        size = 3 * x.shape[2] // 10
        return torch.nn.functional.interpolate(x, size=size) * x.shape[2]


dynamic_shapes = {"x": {2: Dim("n", min=7, max=32)}}


def inputs(n=17):
    return torch.randn(1, 2, n)
