"""
title: Tensor.backward() inside forward
description: >
  backward() leaves the gradient in an attribute of the leaf instead of returning it. Reading
  bytecode, a tracer meets a call that changes a tensor it does not own; running the program, it
  meets an accumulation into .grad. torch.autograd.grad returns the gradient as a value
  (autograd/grad_in_forward).
tags: [torch.autograd, torch.mutation]
references: [pytorch#125984]
requires: [backward]
pitfalls: [autograd/func_grad]
errors: [E0419]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x = x.detach().requires_grad_()
        (x**3).sum().backward()
        return x.grad


def inputs():
    return torch.randn(3, 4)
