"""
title: Random numbers under torch.vmap
description: >
  randomness="different" draws new numbers for each row, "same" draws once for all. Which of the
  two it was shows in the size of what is drawn, and under one seed in the numbers.
tags: [torch.functional-transform, torch.random, torch.dynamic-shape]
errors: [E0426]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def jitter(row):
            return row + torch.rand_like(row)

        each = torch.vmap(jitter, randomness="different")(x)
        shared = torch.vmap(jitter, randomness="same")(x)
        return each, shared


dynamic_shapes = {"x": {0: Dim("n", min=2, max=3)}}


def inputs(n=2):
    return torch.randn(n, 3)
