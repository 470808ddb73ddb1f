"""
title: Activations written out with other constants than the named functions have
description: >
  x * sigmoid(1.7 * x) is no silu, an erf without the root of two is no gelu, and a clamp over five
  is no hard sigmoid. A pass that recognises the form and not the constants replaces them with
  the named function.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        gated = x * (1.7 * x).sigmoid(), x * x.sigmoid() * 2, x * (-x).sigmoid()
        smooth = 0.5 * x * (1 + torch.erf(x)), 0.5 * x * (1 + torch.tanh(0.8 * (x + 0.04 * x**3)))
        hard = x * (x + 3).clamp(0, 6) / 5, (x + 2).clamp(0, 4) / 4, x.clamp(-1, 6)
        soft = (1 + (2 * x).exp()).log(), x * (1 + x.exp()).log(), x / (2 + x.abs())
        shares = (2 * x).exp() / (2 * x).exp().sum(0), x.exp().sum(1).log() - 1, x.exp() / 4
        leaky = torch.where(x > 0.5, x, 0.1 * x), torch.where(x > 0, x, 2 * (x.exp() - 1))
        return gated, smooth, hard, soft, shares, leaky


dynamic_shapes = {"x": {0: Dim("m", min=2, max=16)}}


def inputs(m=7):
    return torch.randn(m, 8)
