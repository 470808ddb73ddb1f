"""
title: RMSNorm without eps on rows that are nearly silent
description: >
  eps is left to its default, the machine epsilon of the type of the input: 1.2e-7 in float32,
  2.2e-16 in float64. Where a row's mean square is as small, it decides the result, and one of 1e-6
  or of another type is seen.
tags: [torch.operator, torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.RMSNorm(4, elementwise_affine=False)

    def forward(self, x):
        fine = x.double() * 1e-4
        return self.norm(x), torch.nn.functional.rms_norm(fine, (4,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=3):
    return torch.randn(n, 4) * 4e-4
