"""
title: Diffusion transformer block modulated by its condition (adaLN-Zero)
description: >
  A condition for each image gives shift, scale and gate of a normalisation without weights. They
  are three parts of one projection, each broadcast over the tokens.
tags: [torch.dynamic-shape, torch.module]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(6, elementwise_affine=False)
        self.condition = torch.nn.Linear(4, 18)
        self.layer = torch.nn.Linear(6, 6)

    def forward(self, x, c):
        shift, scale, gate = self.condition(torch.nn.functional.silu(c)).chunk(3, dim=1)
        y = self.norm(x) * (1 + scale[:, None]) + shift[:, None]
        return x + gate[:, None] * self.layer(y)


b, t = Dim("b", min=1, max=8), Dim("t", min=1, max=32)
dynamic_shapes = {"x": {0: b, 1: t}, "c": {0: b}}


def inputs(b=2, t=5):
    return torch.randn(b, t, 6), torch.randn(b, 4)
