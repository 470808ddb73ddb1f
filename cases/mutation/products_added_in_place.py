"""
title: Products of matrices and vectors, added to an accumulator in place
description: >
  addmm_, addmv_, addr_, baddbmm_ and addbmm_ scale what is there by beta and add the product times alpha. The
  accumulators are buffers, which go on from call to call, and addcmul_, addcdiv_ and lerp_ move a third one.
tags: [torch.mutation, torch.buffer, torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("square", torch.linspace(-1, 1, 9).reshape(3, 3))
        self.register_buffer("mean", torch.linspace(0, 1, 3))
        self.register_buffer("batch", torch.linspace(-1, 2, 18).reshape(2, 3, 3))

    def forward(self, x):
        self.square.addmm_(x.t(), x, beta=0.5, alpha=0.25).addr_(x[0], x[-1], alpha=0.5)
        self.mean.addmv_(self.square, x[0], beta=0.9, alpha=0.1).lerp_(x.mean(0), 0.25)
        pairs = torch.stack([x, -2 * x])
        self.batch.baddbmm_(pairs.mT, pairs, beta=0.5, alpha=-0.5)
        self.square.addbmm_(self.batch, self.batch, beta=0.75, alpha=0.01)
        self.mean.addcmul_(x[0], x[-1], value=0.5).addcdiv_(x[0], x[-1].abs() + 1, value=-0.5)
        return self.square + self.mean, self.batch.sum(0)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.linspace(-1, 1.5, n * 3).reshape(n, 3)
