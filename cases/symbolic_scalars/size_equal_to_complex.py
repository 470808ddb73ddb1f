"""
title: Dynamic size compared with a complex number by ==
description: >
  The integer 3 and the complex number 3 + 0j are equal in Python. A symbol is equal to no complex
  number, and the capture takes the same branch for every size.
tags: [torch.sym-scalar, torch.dynamic-shape, python.control-flow, torch.complex]
rewrites: [symbolic_scalars/size_equal_by_sym_ite]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] == 3 + 0j else x - 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
