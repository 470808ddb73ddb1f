"""
title: Short forms that leave dims and outputs to torch
description: >
  einsum without an arrow orders its output by the alphabet, repeat with more counts than dims puts new dims in front,
  trace stops at the shorter side, and the power 0 of a matrix is the identity.
tags: [torch.operator, torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, square):
        products = torch.einsum("ij,jk", x, square), torch.einsum("ki,ij", square, square)
        summed = torch.einsum("ba,bc", x, x), torch.einsum("ii", square), torch.trace(x[:2])
        grown = x.repeat(2, 1, 1), x[0].repeat(3, 2), x.unflatten(-2, (1, -1))
        powers = torch.linalg.matrix_power(square, 0), torch.linalg.matrix_power(square, 3)
        means = x.double().mean(), x.to(torch.float64).mean(0)
        number = x.sum().index_select(0, torch.tensor([0])), x.sum().reshape(1, 1).squeeze()
        return products, summed, grown, powers, means, number


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "square": None}


def inputs(n=5):
    square = torch.tensor([[1.0, 2.0, -1.0], [0.5, 3.0, 2.0], [4.0, -2.0, 0.25]])
    return torch.linspace(-1, 2, n * 3).reshape(n, 3).square(), square
