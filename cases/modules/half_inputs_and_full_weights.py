"""
title: Inputs in half precision beside weights in full precision
description: >
  The input comes in half precision, the scale and shift are kept in full precision, as in most
  norms of language models: their product has the wider type, and the weights must not be rounded
  to the narrow one.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor([1.0001, 0.33333, 2.00007, -1.9999]))
        self.register_buffer("shift", torch.tensor([100.03, 0.0, -5.001, 1e-6]))

    def forward(self, x):
        wide = x.float()
        normed = wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + 1e-6)
        return normed.to(x.dtype) * self.scale + self.shift


dynamic_shapes = {"x": {0: Dim("n", min=2, max=32)}}


def inputs(n=5):
    return (torch.randn(n, 4).half(),)
