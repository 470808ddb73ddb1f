"""
title: Gradients of activations and of softmax
description: >
  An activation may be right and its gradient not: at a corner the gradient is that of one of the
  two sides, in a flat part it is zero, and in a softmax each value depends on the whole row.
tags: [torch.sweep, torch.autograd, torch.dynamic-shape]
train: true
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        smooth = F.gelu(x), F.silu(x), F.elu(x), F.softplus(x), F.mish(x), x.tanh(), x.sigmoid()
        corners = (
            F.relu(x),
            F.leaky_relu(x, 0.2),
            F.hardtanh(x),
            F.hardswish(x),
            F.relu6(x),
            x.abs(),
        )
        rows = x.softmax(1), x.log_softmax(1), x.logsumexp(1), F.glu(x, 1), x.cumsum(1), x.prod(1)
        return smooth, corners, rows


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 4, requires_grad=True)
