"""
title: A nested container changed with tree_map
description: >
  Every tensor of a dict of lists is doubled by mapping over its leaves, and the structure is rebuilt.
  Flattening is Python code that runs while tracing.
tags: [python.data-structure, python.builtin]
"""

import torch
from torch.export import Dim
from torch.utils._pytree import tree_flatten, tree_map


class Model(torch.nn.Module):
    def forward(self, x, y):
        doubled = tree_map(lambda t: t * 2, {"pair": [x, y], "sum": (x.sum(),)})
        leaves, _ = tree_flatten(doubled)
        return doubled["pair"], leaves[2] * len(leaves)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(4)
