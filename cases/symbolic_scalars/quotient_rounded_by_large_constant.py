"""
title: A size rounded by adding and subtracting a large number
description: >
  A float that is added to 1.5 * 2**52 has no room for its fraction, and what is left after the
  number is subtracted again is rounded. The symbolic engine computes with real numbers: both
  cancel, and the fraction stays. The rewrite calls round().
tags: [torch.dynamic-shape, torch.sym-scalar]
rewrites: [symbolic_scalars/quotient_rounded]
references: [pytorch#122823]
"""

import torch
from torch.export import Dim

LARGE = 1.5 * 2**52


class Model(torch.nn.Module):
    def forward(self, x):
        thirds = (x.shape[0] / 3 + LARGE) - LARGE
        return x * thirds


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
