"""
title: Gradients of complex weights, and of real and imaginary parts
description: >
  The gradient of a complex product is conjugated in the backward pass, and once more by conj(). A
  loss that only looks at real values would not show a sign that is wrong twice.
tags: [torch.sweep, torch.autograd, torch.complex]
train: true
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        parts = torch.linspace(-1, 1, 12).sin().reshape(3, 2, 2)
        self.weight = torch.nn.Parameter(torch.view_as_complex(parts))

    def forward(self, x, y):
        z = torch.complex(x, y)
        mixed = z @ self.weight
        shifted = self.weight.conj() * z.sum(0)[:, None] + torch.conj(mixed).sum()
        return (
            mixed.abs(),
            mixed.real * mixed.imag,
            shifted,
            mixed.exp().conj(),
            z.angle(),
            z * z.conj(),
        )


def inputs():
    return torch.randn(4, 3, requires_grad=True), torch.randn(4, 3, requires_grad=True)
