"""
title: divmod of a size
description: >
  divmod gives what // and % give one by one, and both of these are captured for a size.
tags: [torch.dynamic-shape, python.builtin]
rewrites: [symbolic_scalars/quotient_and_remainder_of_size]
references: [pytorch#163457]
errors: [E0132]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        whole, rest = divmod(x.shape[0], 3)
        return x * whole + rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
