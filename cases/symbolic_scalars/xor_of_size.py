"""
title: n ^ 3 of a dynamic size
description: >
  x.shape[0] ^ 3 is an integer like x.shape[0] & 3 and x.shape[0] | 3, but a symbolic size may not
  have this operator. The rewrite writes it as the difference of the other two.
tags: [torch.dynamic-shape]
rewrites: [symbolic_scalars/xor_as_difference]
errors: [E1103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + (x.shape[0] ^ 3)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
