"""
title: Powers of powers, roots of products and logarithms of quotients
description: >
  An even power forgets the sign and a root has none to give back; a product may be positive where
  its factors are not. Joined into one power, root or logarithm, the expression exists where it
  did not.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        powers = x.pow(2).pow(0.5), x.pow(0.5).pow(2), x.pow(2).pow(1.5), x.pow(3).pow(2)
        roots = x.sqrt() * y.sqrt(), (x * y).sqrt(), (x * x * y).sqrt(), x.rsqrt() * x
        logs = x.log() - y.log(), (x / y).log(), x.pow(2).log(), 2 * x.log()
        products = x.log().sum(1).exp(), x.prod(1).log(), x.exp().prod(1)
        grown = x.exp().pow(2), x.exp() * y.exp(), x.exp() / y.exp(), 2.0**x * 2.0**y
        return powers, roots, logs, products, grown, x.abs().pow(1 / 3) * x.sign(), x.pow(1 / 3)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"x": {0: n}, "y": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.randn(n, 4)


def accepts():
    yield torch.tensor([[-2.0, -3.0, 4.0, 0.0]]), torch.tensor([[-8.0, -0.5, 9.0, 0.0]])
