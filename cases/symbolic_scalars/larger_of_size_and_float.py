"""
title: Python's max of a dynamic size and a float
description: >
  Python's max gives one of the two as it is: an int where the size is larger. The maximum of
  symbols is a float as soon as one of them is, so an integer tensor becomes a float tensor.
advice: >
  Compare with 4 instead of 4.0, or convert the product with .float(), as float() of the number
  makes the size a constant: the dtype of a graph's output cannot depend on a size.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.dtype]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.arange(3) * max(x.shape[0], 4.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
