"""
title: Random numbers of every distribution, in shapes that vary
description: >
  Eager draws them one after the other from one generator, so the graph has to keep each draw, in
  its order. A draw that is never used moves the generator on as well.
tags: [torch.sweep, torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        n = x.shape[0]
        plain = torch.rand(n, 2), torch.randn(n, 3), torch.randint(2, 9, (n,)), torch.randn_like(x)
        torch.rand(3)
        drawn = torch.bernoulli(x.sigmoid()), torch.normal(x, 0.5), torch.rand_like(x)
        return plain, drawn, x.clone().exponential_(), torch.empty(n).uniform_(2, 3)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4),)
