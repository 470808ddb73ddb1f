"""
title: sign, signbit, copysign and abs, of -0.0 too
description: >
  sign gives 0 for a zero, signbit tells -0.0 from 0.0, and copysign copies even that. Comparisons
  with zero cannot replace them.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        signs = x.sign(), x.sgn(), x.signbit(), torch.copysign(x, y)
        return signs, x.abs(), x.neg(), x.positive(), torch.heaviside(x, y), x.frac()


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(n, 3)


def accepts():
    yield torch.tensor([[0.0, -0.0, -2.5]]), torch.tensor([[-0.0, 0.0, -0.0]])
    yield torch.tensor([[-7.25, 3.0, -1.0]]), torch.tensor([[1.0, -1.0, 0.5]])
