"""
title: Gradients of each sample by vmap of grad
description: >
  grad differentiates the loss of one sample with respect to the weight, and vmap does so for all
  samples at once. For a linear layer the gradients are products that einsum writes down.
tags: [torch.autograd, torch.functional-transform, torch.dynamic-shape]
requires: [backward]
rewrites: [autograd/per_sample_gradients_written_out]
pitfalls: [autograd/func_jacrev]
errors: [E0427]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, weight, x, target):
        def loss(weight, x, target):
            return ((weight @ x - target) ** 2).sum()

        gradient = torch.func.grad(loss)
        return torch.vmap(gradient, in_dims=(None, 0, 0))(weight, x, target)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"weight": None, "x": {0: n}, "target": {0: n}}


def inputs(n=5):
    return torch.randn(2, 3), torch.randn(n, 3), torch.randn(n, 2)
