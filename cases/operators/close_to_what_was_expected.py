"""
title: Tolerance relative to the second of two tensors, isclose
description: >
  isclose allows for a difference of atol and rtol times the size of its second argument: 10 is close
  to 15 by a third and more, 15 is not close to 10. Equal infinities are close, and NaN if
  equal_nan says so.
tags: [torch.operator]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, measured, expected):
        near = torch.isclose(measured, expected, rtol=0.4, atol=0.0)
        turned = torch.isclose(expected, measured, rtol=0.4, atol=0.0, equal_nan=True)
        return near, turned, torch.isclose(measured, expected, atol=1.0)


dynamic_shapes = {"measured": {0: Dim("n", max=32)}, "expected": {0: Dim("n", max=32)}}


def inputs(n=6):
    base = torch.arange(n) * 2.0 + 1
    return base, base * 1.5


def accepts():
    odd = torch.tensor([torch.inf, -torch.inf, torch.nan, 0.0, -10.0, 10.0])
    yield odd, torch.tensor([torch.inf, 1.0, torch.nan, -0.0, -15.0, 15.0])
