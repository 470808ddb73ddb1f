"""
title: addmv, addr, addcmul, addcdiv, add and rsub with alpha, beta and value
description: >
  One factor scales the product and another what it is added to; addcmul and addcdiv have a single
  one, which may be an int.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
allow:
  L055: the case is about the arguments of its operators, and samples have other sizes
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        right = y[:, :3]
        rows = torch.addmv(x[0, :, 0], x[0], y[0, 0], beta=0.3, alpha=2.0)
        outer = torch.addr(x[0], x[0, :, 0], y[0, 0], beta=0.7, alpha=3.0)
        parts = torch.addcmul(x, x, right, value=0.5), torch.addcdiv(x, x, right.exp(), value=2)
        return rows, outer, parts, torch.add(x, right, alpha=3), torch.rsub(x, 2, alpha=0.5)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=4):
    return torch.randn(n, 3, 4), torch.randn(n, 3, 4)
