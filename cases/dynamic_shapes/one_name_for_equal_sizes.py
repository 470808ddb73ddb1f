"""
title: One Dim for sizes that must be equal
description: >
  The same Dim at both places says that the sizes are one number. A call in which they differ is
  outside of what was declared and has to be refused.
tags: [torch.shared-dim, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        return (x + y).sum(0) / x.shape[0]


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)
