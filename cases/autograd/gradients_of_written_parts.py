"""
title: Gradients through in-place writes, concatenation, rounding and square roots
description: >
  A new tensor is filled in place, lists are concatenated, and square roots are taken at zero,
  where the gradient is infinite or NaN. A leaf that forward makes itself asks for a gradient of
  its own.
tags: [torch.sweep, torch.autograd, torch.mutation]
train: true
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.linspace(-1, 1, 4))

    def forward(self, x):
        room = torch.zeros(5, 4)
        room[:, :2] = x[:, 2:] * self.scale[:2]
        room[torch.tensor([0, 3])] = x[1:3].sin()
        joined = torch.cat([x.detach(), x * 2, room]), torch.stack([x * 0, x.exp()])
        cut = x.round() * self.scale + x.floor() * x, x.clamp(-0.5, 0.5), x.abs(), x.relu()
        roots = x.square().sum(1).sqrt(), x.norm(dim=1), x.square().add(1e-6).rsqrt()
        leaf = x.detach().requires_grad_()
        (slope,) = torch.autograd.grad((leaf**3 * self.scale).sum(), leaf, create_graph=True)
        return joined, cut, roots, slope, x.flip(1).cumsum(1), x.roll(1, 1) * self.scale, x.amax(1)


def inputs():
    return torch.randn(5, 4, requires_grad=True)


def accepts():
    x = torch.tensor([[0.0, 0.0, 0.0, 0.0], [1.0, -1.0, 0.5, -0.5]])
    yield torch.cat([x, x * 2, torch.ones(1, 4)]).requires_grad_()
