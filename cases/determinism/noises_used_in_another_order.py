"""
title: Random tensors drawn in one order and used in another
description: >
  Two noises of the same shape are two draws, made where the program draws them and not where they
  are first used. A draw in double precision consumes other numbers of the generator than one in
  single precision.
tags: [torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        first, second = torch.rand_like(x), torch.rand_like(x)
        shift = torch.randn(n)
        exact = torch.rand(n, dtype=torch.float64), torch.randn(3, n, dtype=torch.float64)
        order, places = torch.randperm(n), torch.randint(0, 1000, (n,))
        other, often = torch.randperm(n), torch.randint(-5, 1000, (n,))
        moved = x + second * shift[:, None]
        return moved, x * first, exact, order, other, places, often, (torch.rand(3), torch.randn(4))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return torch.randn(n, 3)
