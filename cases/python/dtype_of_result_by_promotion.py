"""
title: A result in the dtype that torch.promote_types and torch.result_type name
description: >
  The program asks which dtype two operands have in common, makes its result of that dtype, and tells the
  caller how many bytes an element takes. For operands of another dtype all of this is another.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, weights):
        common = torch.promote_types(x.dtype, weights.dtype)
        total = torch.zeros(x.shape[1], dtype=torch.result_type(x, 0.5))
        total += (x.to(common) * weights.to(common)).sum(0).to(total.dtype)
        return total, x.to(common), x.element_size(), torch.can_cast(common, torch.int64)


dynamic_shapes = {name: {0: Dim("n", min=1, max=16)} for name in ("x", "weights")}


def inputs(n=5):
    x = (torch.arange(n * 3) * 29 % 100).reshape(n, 3).to(torch.int16)
    return x, torch.linspace(-1, 1.5, n * 3).reshape(n, 3).to(torch.float16)


def rejects():
    x, weights = inputs()
    yield x.to(torch.int64), weights
    yield x, weights.to(torch.float64)
    yield x.to(torch.float32), weights.to(torch.bfloat16)
