"""
title: addmm, baddbmm and addbmm with alpha and beta
description: >
  alpha scales the product, beta what it is added to; with beta zero that is ignored, even where
  it is NaN.
tags: [torch.operator, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
allow:
  L055: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        product, z = y.mT, torch.full_like(x[0, :, :1], torch.nan)
        one = torch.addmm(x[0], x[1], y[0].mT @ x[0] * 0.1, beta=0.3, alpha=2.0)
        each = torch.baddbmm(x @ product, x, product, beta=-1.0, alpha=0.5)
        added = torch.addbmm(x[0] @ y[0].mT, x, product, beta=0.5, alpha=0.2)
        return one, each, added, torch.addmm(z, x[0], y[0, :1].mT, beta=0.0)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=4):
    return torch.randn(n, 3, 4), torch.randn(n, 3, 4)
