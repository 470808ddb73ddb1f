"""
title: Python's float() of a dynamic size
description: >
  Python makes sure that float() returns a real float, so the size of the example becomes a
  constant, unless the tracer reads the call itself and replaces it. torch.sym_float stays symbolic
  in any case.
tags: [torch.sym-scalar, torch.specialization, python.builtin]
rewrites: [symbolic_scalars/sym_float]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x / float(x.shape[0])


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
