"""
title: Gradients of norms of nothing, equal maxima, remainders and products with zeros
description: >
  At zero a norm passes no gradient on, two equal numbers share that of their maximum, a remainder
  passes the whole quotient to its divisor, and a running product with a zero in it cannot divide
  by its factors. A derivative that is written anew gives NaN or another share there.
tags: [torch.sweep, torch.autograd, torch.complex]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        zeros = x - x
        norms = zeros.norm(), zeros.norm(dim=1), torch.linalg.vector_norm(x.relu(), dim=0)
        extremes = torch.maximum(x, x.round()), torch.minimum(x, zeros), torch.fmax(x, x * 1.0)
        rest = torch.remainder(x, y), torch.fmod(x, y), (x + 7) % y
        products = x.relu().cumprod(1), zeros.cumprod(0), x.relu().prod(0)
        angles = torch.atan2(y, zeros), torch.atan2(zeros, -y)
        twice = x.gather(0, torch.tensor([[0, 0, 1, 1], [0, 0, 0, 2]]))
        turned = torch.view_as_real(torch.complex(x, y) * torch.complex(y, x * 2))
        return norms, extremes, rest, products, angles, twice, turned


def inputs():
    return torch.randn(3, 4, requires_grad=True), (torch.rand(3, 4) + 1).requires_grad_()


def accepts():
    yield torch.eye(3, 4, requires_grad=True), torch.full((3, 4), 2.5, requires_grad=True)
