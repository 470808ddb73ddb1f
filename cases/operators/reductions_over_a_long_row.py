"""
title: sum, amax and argmax over a row of 20,011 numbers
description: >
  A compiler splits a long reduction into parts and puts their results together at the end. The
  length is a prime, so the last part is shorter than the others: what is left out, or read beyond
  the end, shows.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 1.0e-5, atol: 1.0e-3}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.sum(1), x.amax(1), x.argmax(1)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=3):
    return torch.randn(n, 20_011)
