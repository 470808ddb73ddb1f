"""
title: ELU, SELU, SiLU, Mish, GELU and softplus with their arguments
description: >
  The exact GELU and the one by tanh differ in the third digit, ELU has an alpha, softplus a beta
  and a threshold above which it is the input itself. A kernel that knows the defaults alone is
  wrong.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        exponential = F.elu(x, alpha=0.7), F.selu(x), F.celu(x, alpha=1.3), F.softplus(x, 2.0, 5.0)
        gated = F.silu(x), F.mish(x), F.gelu(x), F.gelu(x, approximate="tanh")
        return exponential, gated, F.logsigmoid(x), F.softsign(x), F.sigmoid(x), F.tanhshrink(x)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)


def accepts():
    yield (torch.randn(4, 3) * 30,)
