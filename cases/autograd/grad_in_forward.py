"""
title: torch.autograd.grad inside forward
description: >
  The result is a gradient: forces from an energy, a penalty on gradients. autograd runs inside
  forward, on tensors that are traced at that moment. The tempting alternative, torch.func.grad,
  wraps its tensors in a layer of its own while it runs.
tags: [torch.autograd]
requires: [backward]
pitfalls: [autograd/func_grad]
references: [pytorch#125984, pytorch#146719]
errors: [E0306, E0419]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_()
        energy = (x**3).sum()
        (force,) = torch.autograd.grad(energy, x)
        return force


def inputs():
    return torch.randn(3, 4)
