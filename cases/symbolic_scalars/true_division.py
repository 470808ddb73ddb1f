"""
title: True division of a dynamic size
description: >
  A size divided with / is a symbolic float. Used as a factor it must be computed anew at every
  call, in the precision of a Python float.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (x.shape[0] / 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=5):
    return torch.randn(n)
