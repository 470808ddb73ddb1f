"""
title: Results written to tensors given as out=
description: >
  torch.add and its kin write to the tensor given as out and return it. Here that tensor is a
  part of a larger one or the caller's own, so what is not written there is missing.
tags: [torch.mutation, torch.aliasing, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y, room):
        both = torch.zeros(2, x.shape[0], 3)
        torch.add(x, y, out=both[0])
        torch.mul(x, y, out=both[1])
        torch.sub(x, y, out=room)
        return both, room + 1


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}, "room": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3), torch.zeros(n, 3)
