"""
title: math.log of a size
description: >
  Scores of attention are often scaled by the logarithm of how many there are. math.log needs
  the number itself, so that the size is settled.
tags: [torch.sym-scalar, torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/logarithm_in_tensor]
errors: [E0101]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x * math.log(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 3),)
