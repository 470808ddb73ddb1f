"""
title: Sinusoidal embedding of a diffusion timestep
description: >
  The steps are multiplied with a falling row of frequencies, sine and cosine are put side by side,
  and two layers follow. A single step, given as a tensor of no dimensions, is spread over the
  batch.
tags: [torch.dynamic-shape]
"""

import math

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(6, 4)
        self.second = torch.nn.Linear(4, 4)

    def forward(self, x, step):
        step = step.expand(x.shape[0])
        frequencies = torch.exp(-math.log(10000) * torch.arange(3) / 3)
        angles = step[:, None].to(x.dtype) * frequencies
        embedded = torch.cat([angles.cos(), angles.sin()], dim=-1)
        shift = self.second(torch.nn.functional.silu(self.first(embedded)))
        return x + shift[:, :, None, None]


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=8)}, "step": None}


def inputs(batch=7):
    return torch.randn(batch, 4, 5, 5), torch.tensor(250)


def accepts():
    yield torch.randn(7, 4, 5, 5), torch.tensor(0)
    yield torch.randn(7, 4, 5, 5), torch.tensor(999)
