"""
title: Powers of two whose base is a tensor
description: >
  A base of the exponents' own type leaves nothing to be promoted.
tags: [torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, bits):
        return torch.full_like(bits, 2) ** bits


dynamic_shapes = {"bits": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.arange(n, dtype=torch.int32)
