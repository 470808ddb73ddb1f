"""
title: Gradients of each sample of a linear layer written out
description: >
  The gradient of one sample is twice its error times its input. einsum makes that product for
  every sample, without any derivative being taken.
tags: [torch.autograd, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, weight, x, target):
        error = x @ weight.t() - target
        return 2 * torch.einsum("no,ni->noi", error, x)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"weight": None, "x": {0: n}, "target": {0: n}}


def inputs(n=5):
    return torch.randn(2, 3), torch.randn(n, 3), torch.randn(n, 2)
