"""
title: torch.cond whose branches differ in whether the result requires a gradient
description: >
  One branch depends on the input, the other returns fresh zeros, which no gradient reaches. The
  results agree in shape and dtype and differ in requires_grad; a graph of both branches needs one
  answer. Zero times the input depends on it too.
tags: [torch.cond, torch.autograd, torch.dynamic-shape]
train: true
references: [pytorch#141259]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def long(x):
            return x.tanh()

        def short(x):
            return torch.zeros_like(x)

        return torch.cond(x.shape[0] > 4, long, short, (x,)) + x


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n, 3, requires_grad=True)
