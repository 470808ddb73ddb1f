"""
title: Running totals and products that name the type they are in
description: >
  The input is converted before it is added up and not after: bytes neither wrap nor lose their
  fractions on the way.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, b, x):
        running = [b.cumsum(0, dtype=torch.int64), b.cumsum(-1, dtype=torch.uint8)]
        running += [x.cumsum(0, dtype=torch.float64)]
        products = [b.cumprod(0, dtype=torch.float32), x.cumprod(-1, dtype=torch.bfloat16)]
        products += [b.cumprod(0)]
        whole = [x.sum(dtype=torch.int64), x.sum(0, dtype=torch.int64)]
        whole += [b.sum(0, dtype=torch.uint8), b.sum(-1)]
        multiplied = [b.prod(0, dtype=torch.float32), x.prod(-1, dtype=torch.int64)]
        multiplied += [(b > 9).prod(0), b.prod(-1)]
        missing = [x.nansum(0), x.nansum(-1, dtype=torch.float64), x.nansum((0, 1)), x.nansum()]
        missing += [b.nansum(0)]
        steps = [torch.linspace(-3, 3, 4, dtype=torch.int32)]
        steps += [torch.logspace(0, 2, 3, base=3, dtype=torch.int64)]
        rest = [F.softmax(x, 0, dtype=torch.float64)]
        return running, products, whole, multiplied, missing, steps, rest


dynamic_shapes = {"b": {0: Dim("n", min=2, max=16)}, "x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.arange(3 * n).reshape(n, 3) * 37 % 256).to(torch.uint8), torch.randn(n, 3) * 3
