"""
title: dynamic_shapes for *args
description: >
  All further tensors are one argument by the name of *args. Its specification is a tuple under
  this name, with an entry for each of them.
tags: [torch.dynamic-shape, python.kwargs, python.pytree]
references: [pytorch#150022]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, *others):
        for other in others:
            x = x + other
        return x * len(others) / x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "others": ({0: n}, {0: n})}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.randn(n, 3)
