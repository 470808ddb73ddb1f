"""
title: Activations kept in eight bits for the backward pass
description: >
  saved_tensors_hooks changes what autograd keeps: here each activation is packed into int8, a quarter of the
  memory. The result of the forward pass is exact, and the gradients are those of the rounded activations. A graph of
  operators has no place for such hooks.
tags: [torch.autograd, torch.dtype, torch.dynamic-shape]
train: true
"""

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.export import Dim


def pack(kept):
    return (kept * 8).round().to(torch.int8)


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.linspace(0.5, 2, 3))

    def forward(self, x):
        with saved_tensors_hooks(pack, lambda packed: packed / 8):
            return torch.sin(x) * self.scale


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.linspace(-2, 2.1, n * 3).reshape(n, 3)
